package dev.oriel.domain.binding;

import dev.oriel.domain.program.Buffer;
import dev.oriel.domain.program.Ensure;
import dev.oriel.domain.program.EnsureBinder;
import dev.oriel.domain.program.Space;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The words of an input from which lanes load, or which select rows for a hook: each has {@code
 * width} bytes and is at most {@code most}. Unrestricted random words would all exceed the bounds
 * that loads, hooks and post-conditions name.
 *
 * @param bounded whether the program names a bound; without one {@code most} is a small number
 */
public record InputWords(int width, long most, boolean bounded) {
  /** The largest word if no bound is known. */
  static final long SMALL = 16;

  /** Words with a bound. */
  public InputWords(int width, long most) {
    this(width, most, true);
  }

  /** The inputs of which some rank reads words, by name. */
  public static Set<String> buffers(Program program) {
    Set<String> buffers = new TreeSet<>();
    for (int rank = 0; rank < program.world(); rank++) {
      buffers.addAll(of(program.rank(rank)).keySet());
    }
    return buffers;
  }

  /**
   * The same, without a uniform input of one word that is at most 2 and the only one that is read.
   * A check tries zero, the largest word and one next to these in every launch. That is every word
   * of such an input.
   */
  public static Set<String> tooMany(Program program) {
    Set<String> buffers = buffers(program);
    boolean few =
        buffers.size() == 1
            && program.form().buffer(buffers.iterator().next()).orElseThrow().space()
                == Space.UNIFORM
            && of(program).stream()
                .allMatch(words ->
                    words.values().stream()
                        .allMatch(word ->
                            word.bounded() && word.most() <= 2 && word.width() == Long.BYTES))
            && IntStream.range(0, program.world())
                .allMatch(
                    rank -> program.rank(rank).bytes(buffers.iterator().next()) <= Long.BYTES);
    return few ? Set.of() : buffers;
  }

  /**
   * For each rank, the words of its inputs that are read in this way. A uniform input has the words
   * that all ranks allow, also where only some of them read it.
   */
  public static List<Map<String, InputWords>> of(Program program) {
    List<Map<String, InputWords>> all =
        IntStream.range(0, program.world()).mapToObj(rank -> of(program.rank(rank))).toList();
    for (Buffer buffer : program.form().buffers()) {
      if (buffer.space() == Space.UNIFORM) {
        all.stream()
            .flatMap(words -> Stream.ofNullable(words.get(buffer.name())))
            .reduce(InputWords::both)
            .ifPresent(common -> all.forEach(words -> words.put(buffer.name(), common)));
      }
    }
    return all;
  }

  /** The words of each of the rank's inputs that the rank itself reads in this way. */
  static Map<String, InputWords> of(RankProgram rank) {
    Map<String, InputWords> words = new TreeMap<>();
    new LoadWalk(rank, words).all();
    RowTables.of(rank)
        .forEach((table, rows) ->
            words.merge(table, new InputWords(Integer.BYTES, rows - 1), InputWords::both));
    for (Ensure e : rank.program().form().ensures()) {
      for (EnsureBinder g : e.given()) {
        if (g instanceof EnsureBinder.Word w) {
          words.merge(
              w.word().buffer(), new InputWords(w.width(), rank.value(w.most())), InputWords::both);
        }
      }
    }
    return words;
  }

  /** The largest word that the program allows and that its width holds, as an unsigned number. */
  public long largest() {
    long fits = -1L >>> (Long.SIZE - Byte.SIZE * width);
    return bounded && Long.compareUnsigned(most, fits) < 0 ? most : fits;
  }

  /**
   * The words that both allow: a wide word within both bounds also keeps each of its narrow words
   * within them.
   */
  InputWords both(InputWords other) {
    long least =
        bounded == other.bounded ? Math.min(most, other.most) : bounded ? most : other.most;
    return new InputWords(Math.max(width, other.width), least, bounded || other.bounded);
  }

  /**
   * Fresh inputs of each rank, by name: random bytes, and words within their bounds. Uniform inputs
   * begin with the same bytes.
   *
   * @param bits supplies 64 random bits per call
   */
  public static List<Map<String, byte[]>> draw(Program program, LongSupplier bits) {
    List<Map<String, InputWords>> words = of(program);
    List<Map<String, byte[]>> inputs = new ArrayList<>();
    for (int rank = 0; rank < program.world(); rank++) {
      inputs.add(draw(program.rank(rank), words.get(rank), bits));
    }
    for (Buffer buffer : program.form().buffers()) {
      if (buffer.space() == Space.UNIFORM) {
        share(inputs, buffer.name());
      }
    }
    return inputs;
  }

  /** Gives every rank the bytes of the rank that has most of them. */
  private static void share(List<Map<String, byte[]>> inputs, String buffer) {
    List<byte[]> all =
        inputs.stream().map(mine -> Objects.requireNonNull(mine.get(buffer))).toList();
    byte[] longest = all.stream().max(Comparator.comparingInt(bytes -> bytes.length)).orElseThrow();
    all.forEach(bytes -> System.arraycopy(longest, 0, bytes, 0, bytes.length));
  }

  private static Map<String, byte[]> draw(
      RankProgram rank, Map<String, InputWords> words, LongSupplier bits) {
    Map<String, byte[]> inputs = new TreeMap<>();
    for (Buffer buffer : rank.program().form().buffers()) {
      if (buffer.space().filled()) {
        byte[] bytes = new byte[Math.toIntExact(rank.bytes(buffer.name()))];
        InputWords within = words.get(buffer.name());
        if (within == null) {
          anything(bytes, bits);
        } else {
          within.fill(bytes, bits);
        }
        inputs.put(buffer.name(), bytes);
      }
    }
    return inputs;
  }

  private static void anything(byte[] bytes, LongSupplier bits) {
    int whole = bytes.length / Long.BYTES * Long.BYTES;
    ByteBuffer into = ByteBuffer.wrap(bytes);
    while (into.position() < whole) {
      into.putLong(bits.getAsLong());
    }
    for (long rest = bits.getAsLong(); into.hasRemaining(); rest >>>= Byte.SIZE) {
      into.put((byte) rest);
    }
  }

  /**
   * Draws 0 and the largest word more often than by chance, since programs behave differently
   * there.
   */
  private void fill(byte[] bytes, LongSupplier bits) {
    long fits = width == Long.BYTES ? Long.MAX_VALUE - 1 : (1L << (Byte.SIZE * width)) - 1;
    long high = Math.min(most, fits);
    for (int at = 0; at + width <= bytes.length; at += width) {
      long drawn = bits.getAsLong();
      long word =
          switch ((int) drawn & 3) {
            case 0 -> 0;
            case 1 -> high;
            default -> Long.remainderUnsigned(drawn >>> 2, high + 1);
          };
      for (int i = 0; i < width; i++) {
        bytes[at + i] = (byte) (word >>> (Byte.SIZE * i));
      }
    }
  }
}
