package dev.oriel.it.run;

import dev.oriel.domain.binding.BoundPostCondition;
import dev.oriel.domain.binding.InputWords;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.binding.RankProgram;
import dev.oriel.domain.program.Buffer;
import dev.oriel.domain.program.Space;
import dev.oriel.ports.MachineException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * Random inputs and poisoned outputs of all ranks of a program, and the resulting promises. Each
 * process draws the same bytes, so all know the memory of every rank.
 */
public final class LaunchExercise {
  private static final byte POISON = (byte) 0xA5;

  /** The most bytes of an array. */
  private static final long MOST = Integer.MAX_VALUE - 8L;

  private final Program program;
  private final List<Map<String, byte[]>> start;

  private LaunchExercise(Program program, List<Map<String, byte[]>> start) {
    this.program = program;
    this.start = start;
  }

  /** Why the bytes cannot be drawn: the memory of the ranks is too large; empty if it fits. */
  public static Optional<String> tooLarge(Program program) {
    for (int rank = 0; rank < program.world(); rank++) {
      for (Buffer buffer : program.form().buffers()) {
        long bytes = program.rank(rank).bytes(buffer.name());
        if (bytes > MOST) {
          return Optional.of(
              "buffer is too large to be filled and checked: rank=%d, buffer=%s, bytes=%d, max=%d; use a smaller size, or fewer ranks"
                  .formatted(rank, buffer.name(), bytes, MOST));
        }
      }
    }
    return Optional.empty();
  }

  /**
   * Fresh bytes of all ranks.
   *
   * @throws MachineException if they are too many
   */
  public static LaunchExercise draw(Program program, SplittableRandom random) {
    tooLarge(program)
        .ifPresent(why -> {
          throw new MachineException(why);
        });
    List<Map<String, byte[]>> start = InputWords.draw(program, random::nextLong);
    for (int rank = 0; rank < program.world(); rank++) {
      RankProgram sizes = program.rank(rank);
      Map<String, byte[]> mine = start.get(rank);
      for (Buffer buffer : program.form().buffers()) {
        mine.computeIfAbsent(
            buffer.name(), name -> start(buffer.space(), Math.toIntExact(sizes.bytes(name))));
      }
    }
    return new LaunchExercise(program, start);
  }

  /** An output begins with a pattern, other memory with zeros. */
  private static byte[] start(Space space, int length) {
    byte[] bytes = new byte[length];
    if (space.callers()) {
      Arrays.fill(bytes, POISON);
    }
    return bytes;
  }

  /** The bytes that a caller writes into a rank's buffers before a launch, by name. */
  public Map<String, byte[]> before(int rank) {
    Map<String, byte[]> before = new TreeMap<>();
    for (Buffer buffer : program.form().buffers()) {
      if (buffer.space().callers()) {
        before.put(buffer.name(), bytes(rank, buffer.name()));
      }
    }
    return before;
  }

  /** The program's promises to a rank. */
  public List<BoundPostCondition> claims(int rank) {
    return program.rank(rank).claims(this::of);
  }

  /** The bytes that such a promise requires. */
  public byte[] expected(BoundPostCondition claim) {
    return claim.expected(this::of);
  }

  /** The bytes of a rank's buffer before a launch; read-only. */
  public byte[] bytes(int rank, String buffer) {
    return Objects.requireNonNull(start.get(rank).get(buffer));
  }

  private byte[] of(BoundPostCondition.Source source, int length) {
    int from = Math.toIntExact(source.offset());
    return Arrays.copyOfRange(bytes(source.rank(), source.buffer()), from, from + length);
  }
}
