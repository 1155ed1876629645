package dev.oriel.domain.tuning;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.binding.RankProgram.LaneInstance;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.program.ProgramException;
import java.util.Optional;

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

  private static long threads(Program program) {
    long threads = 0;
    for (LaneInstance lane : program.rank(0).lanes()) {
      threads += lane.lane().engine() instanceof LaneFamily.Engine.Sm sm ? sm.threads() : 0;
    }
    return threads;
  }
}
