package dev.oriel.it;

import dev.oriel.domain.binding.Claim;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.binding.RankProgram;
import dev.oriel.domain.binding.RowTables;
import dev.oriel.domain.program.Buffer;
import dev.oriel.domain.program.Space;
import dev.oriel.ports.Executor;
import dev.oriel.ports.Outcome;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/** Random inputs and poisoned outputs before a launch, the program's claims after it. */
final class CheckedLaunch {
  private final Program program;
  private final Executor.Instance instance;
  private final SplittableRandom random;
  private final List<byte[][]> inputs = new ArrayList<>();

  CheckedLaunch(Program program, Executor.Instance instance, SplittableRandom random) {
    this.program = program;
    this.instance = instance;
    this.random = random;
  }

  List<String> run(Supplier<List<Outcome>> launch) {
    fill();
    List<String> problems = ends(instance.ranks(), launch.get());
    return problems.isEmpty() ? problems() : problems;
  }

  /** One line for each launch that did not end well. */
  static List<String> ends(List<Integer> ranks, List<Outcome> outcomes) {
    List<String> problems = new ArrayList<>();
    for (int i = 0; i < outcomes.size(); i++) {
      if (!(outcomes.get(i) instanceof Outcome.Done)) {
        problems.add("rank=" + ranks.get(i) + ", outcome=" + outcomes.get(i));
      }
    }
    return problems;
  }

  /** Draws every rank's bytes, so that all processes know them; writes those of the local ranks. */
  void fill() {
    List<Integer> local = instance.ranks();
    for (int rank = 0; rank < program.world(); rank++) {
      RankProgram sizes = program.rank(rank);
      Map<String, Long> tables = RowTables.of(sizes);
      List<Buffer> buffers = program.form().buffers();
      byte[][] mine = new byte[buffers.size()][];
      for (int b = 0; b < buffers.size(); b++) {
        Buffer buffer = buffers.get(b);
        byte[] bytes = new byte[Math.toIntExact(sizes.bytes(buffer.name()))];
        if (buffer.space() == Space.INPUT) {
          random.nextBytes(bytes);
          Long rows = tables.get(buffer.name());
          if (rows != null) {
            nameRows(bytes, rows);
          }
        } else {
          Arrays.fill(bytes, (byte) 0xA5);
        }
        mine[b] = bytes;
        if (local.contains(rank)
            && (buffer.space() == Space.INPUT || buffer.space() == Space.OUTPUT)) {
          instance.write(rank, buffer.name(), 0, bytes);
        }
      }
      inputs.add(mine);
    }
  }

  /** Random words as well, but each names one of so many rows. */
  private static void nameRows(byte[] bytes, long rows) {
    ByteBuffer words = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    for (int at = 0; at + Integer.BYTES <= bytes.length; at += Integer.BYTES) {
      words.putInt(at, (int) Math.floorMod((long) words.getInt(at), rows));
    }
  }

  List<String> problems() {
    List<String> problems = new ArrayList<>();
    for (int rank : instance.ranks()) {
      for (Claim claim : program.rank(rank).claims()) {
        byte[] expected = claim.expected(this::start);
        byte[] found =
            instance.read(
                rank, claim.actual(), claim.actualOffset(), Math.toIntExact(claim.bytes()));
        int wrong = Arrays.mismatch(found, expected);
        if (wrong >= 0) {
          problems.add(
              "wrong byte: rank=%d, buffer=%s, offset=%d, found=0x%02x, expected=0x%02x (%s)"
                  .formatted(
                      rank,
                      claim.actual(),
                      claim.actualOffset() + wrong,
                      found[wrong],
                      expected[wrong],
                      claim.origin(wrong)));
        }
      }
    }
    return problems;
  }

  private byte[] start(Claim.Source source, int length) {
    byte[] whole = inputs.get(source.rank())[program.form().bufferIndex(source.buffer())];
    int from = Math.toIntExact(source.offset());
    return Arrays.copyOfRange(whole, from, from + length);
  }
}
