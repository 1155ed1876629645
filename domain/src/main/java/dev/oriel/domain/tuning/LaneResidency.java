package dev.oriel.domain.tuning;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.program.ProgramException;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * How many lanes a GPU can hold at once. Lanes wait for one another, so all lanes of a rank must be
 * resident.
 */
public final class LaneResidency {
  /** The threads that fit at once on a GPU of 132 processors. */
  static final long THREADS = 132 * 2048L;

  private LaneResidency() {}

  /**
   * Checks that all lanes of a rank fit.
   *
   * @throws ProgramException if they do not
   */
  public static void check(Program program) {
    long threads = threads(program);
    if (threads > THREADS) {
      throw new ProgramException(
          "lanes do not fit at once: threads=%d, max=%d; use fewer lanes or threads"
              .formatted(threads, THREADS));
    }
  }

  /** As many lanes as fit, with the same threads each, if a program has too many. */
  static Optional<LaneCount> fewer(Program program) {
    long threads = threads(program);
    if (threads <= THREADS) {
      return Optional.empty();
    }
    return Optional.of(LaneCount.own(program).fewer(THREADS, threads));
  }

  /** The most thread blocks that a rank of the program has. */
  public static int blocks(Program program) {
    return IntStream.range(0, program.world())
        .map(rank -> (int) sm(program, rank).count())
        .max()
        .orElse(0);
  }

  /** The blocks of the program's largest cluster; 1 if it has none. */
  public static int cluster(Program program) {
    return IntStream.range(0, program.world())
        .flatMap(rank -> sm(program, rank).mapToInt(LaneFamily.Engine.Sm::cluster))
        .max()
        .orElse(1);
  }

  private static Stream<LaneFamily.Engine.Sm> sm(Program program, int rank) {
    return program.rank(rank).lanes().stream()
        .map(lane -> lane.lane().engine())
        .filter(LaneFamily.Engine.Sm.class::isInstance)
        .map(LaneFamily.Engine.Sm.class::cast);
  }

  private static long threads(Program program) {
    return sm(program, 0).mapToLong(LaneFamily.Engine.Sm::threads).sum();
  }
}
