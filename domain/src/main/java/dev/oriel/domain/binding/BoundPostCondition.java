package dev.oriel.domain.binding;

import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.Grouping;
import dev.oriel.domain.program.HookForm;
import dev.oriel.domain.program.HookOperands;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.window.Comparison;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A post-condition of one rank in concrete numbers: {@code bytes} of its own buffer {@code actual}
 * equal the result of {@code combine} on the sources' initial bytes.
 *
 * @param ensure the number of the {@code ensure} in the form that states it, from 0
 * @param when the condition under which the claim holds; empty if it holds always
 */
public record BoundPostCondition(
    int ensure,
    Optional<FinalWord> when,
    String actual,
    long actualOffset,
    Combine combine,
    Grouping grouping,
    List<Source> sources,
    long bytes) {

  /** A condition for a 64-bit word of the rank's own memory at the end of the launch. */
  public record FinalWord(String buffer, long offset, Comparison comparison, long value) {
    /** Whether a word with these bytes, the lowest first, satisfies the condition. */
    public boolean holds(byte[] bytes) {
      long word = 0;
      for (int i = Long.BYTES - 1; i >= 0; i--) {
        word = (word << Byte.SIZE) | (bytes[i] & 0xFF);
      }
      return comparison.test(word, value);
    }
  }

  /** A run of bytes in a rank's buffer; the claim gives its length. */
  public record Source(int rank, String buffer, long offset) {}

  /** The initial contents of buffers. */
  @FunctionalInterface
  public interface InitialContents {
    /** For programs whose post-conditions name no words of the initial contents. */
    InitialContents UNKNOWN =
        (source, length) -> {
          throw new ProgramException(
              "post-condition names words of inputs: buffer=%s; say what they hold"
                  .formatted(source.buffer()));
        };

    /** {@code length} bytes of a source. */
    byte[] bytes(Source source, int length);
  }

  public BoundPostCondition {
    sources = List.copyOf(sources);
  }

  /** The claim of a copy, by the {@code ensure} with that number. */
  public static BoundPostCondition copy(
      int ensure,
      String actual,
      long actualOffset,
      int peer,
      String expected,
      long offset,
      long bytes) {
    return new BoundPostCondition(
        ensure,
        Optional.empty(),
        actual,
        actualOffset,
        Combine.COPY,
        Grouping.AT_ONCE,
        List.of(new Source(peer, expected, offset)),
        bytes);
  }

  /** The bytes that the claim requires. */
  public byte[] expected(InitialContents start) {
    List<byte[]> taken = new ArrayList<>();
    for (int k = 0; k < sources.size(); k++) {
      taken.add(
          start.bytes(sources.get(k), Math.toIntExact(CombineEvaluator.taken(combine, k, bytes))));
    }
    int length = Math.toIntExact(bytes);
    return Grouping.over(grouping, taken, some -> CombineEvaluator.bytes(combine, some, length));
  }

  /** The places of the claim's bytes in the buffer, relative to {@link #actualOffset}. */
  public List<BoundHook.Run> runs() {
    return CombineEvaluator.runs(combine, Math.toIntExact(bytes));
  }

  /** Reads {@code length} bytes of the rank's own buffer from {@code offset} on. */
  @FunctionalInterface
  public interface Memory {
    byte[] bytes(String buffer, long offset, int length);
  }

  /** Whether the claim holds for a launch that ended with this memory: its condition is true. */
  public boolean applies(Memory memory) {
    return when.map(w -> w.holds(memory.bytes(w.buffer(), w.offset(), Long.BYTES))).orElse(true);
  }

  /** The actual bytes, to be compared with {@link #expected}. */
  public byte[] found(Memory memory) {
    List<BoundHook.Run> runs = runs();
    int first = runs.stream().mapToInt(BoundHook.Run::to).min().orElse(0);
    int end = runs.stream().mapToInt(run -> run.to() + run.length()).max().orElse(0);
    byte[] whole = memory.bytes(actual, actualOffset + first, end - first);
    byte[] found = new byte[Math.toIntExact(bytes)];
    for (BoundHook.Run run : runs) {
      System.arraycopy(whole, run.to() - first, found, run.from(), run.length());
    }
    return found;
  }

  /** The offset in the buffer of the claim's byte at {@code offset}. */
  public long place(long offset) {
    for (BoundHook.Run run : runs()) {
      if (run.from() <= offset && offset < run.from() + run.length()) {
        return actualOffset + run.to() + offset - run.from();
      }
    }
    throw new IllegalArgumentException(
        "no byte of the claim: offset=%d, bytes=%d; stay below".formatted(offset, bytes));
  }

  /** The origin of the claim's byte at {@code offset}, in words. */
  public String origin(long offset) {
    if (combine instanceof Combine.Apply(HookForm hook, HookOperands _)) {
      return "byte %d of what %s makes of %s"
          .formatted(
              offset,
              hook.name(),
              sources.stream()
                  .map(s -> "%s[%d] of rank %d".formatted(s.buffer(), s.offset(), s.rank()))
                  .collect(Collectors.joining(", ")));
    }
    Source first = sources.getFirst();
    String place =
        "%s[%d] of rank %d".formatted(first.buffer(), first.offset() + offset, first.rank());
    if (!(combine instanceof Combine.Reduce(var op, var type, var accumulator))) {
      return place;
    }
    return "the %s of %d sources from %s on"
        .formatted(op.name().toLowerCase(Locale.ROOT), sources.size(), place);
  }
}
