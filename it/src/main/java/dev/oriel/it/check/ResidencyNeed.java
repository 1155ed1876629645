package dev.oriel.it.check;

import dev.oriel.domain.tuning.LaneResidency;
import dev.oriel.it.options.SearchOptions;
import dev.oriel.it.words.LabelledFacts;
import dev.oriel.sim.search.Checker;
import java.util.Optional;

/**
 * A violation that short searches found where fewer thread blocks of a rank are resident than it
 * has. It is no violation of the program: machines launch only where all blocks fit.
 *
 * @param blocks the blocks of a rank
 * @param resident the most of them with which it was found
 * @param kind of the violation
 */
record ResidencyNeed(int blocks, int resident, String kind, String profile) {
  /** In larger worlds one execution takes too long for a question that nobody asked. */
  private static final int RANKS = 16;

  /**
   * Searches the combination with the most blocks: with room for one block, or for the largest
   * cluster. If that fails, with room for all blocks but one. Blocks begin in order.
   */
  static Optional<ResidencyNeed> of(CheckCoverage coverage, SearchOptions search) {
    Combination most = mostBlocks(coverage);
    int blocks = LaneResidency.blocks(most.program());
    int least = LaneResidency.cluster(most.program());
    if (coverage.failed() || blocks <= least || most.program().world() > RANKS) {
      return Optional.empty();
    }
    Optional<ResidencyNeed> some = with(most, blocks, least, search);
    return some.flatMap(_ -> least == blocks - 1 ? some : with(most, blocks, blocks - 1, search))
        .or(() -> some);
  }

  private static Optional<ResidencyNeed> with(
      Combination of, int blocks, int resident, SearchOptions search) {
    Optional<Checker> checker = search.resident(resident);
    return checker
        .map(one -> one.explore(of.program(), of.topology()))
        .flatMap(report -> report.verdict().violation())
        .map(found ->
            new ResidencyNeed(
                blocks, resident, found.kind(), search.residentProfile(resident).orElseThrow()));
  }

  /** The first combination in which a rank has the most blocks. */
  private static Combination mostBlocks(CheckCoverage coverage) {
    Combination most = coverage.shown().combination();
    for (CheckCoverage.CheckedCombination one : coverage.checked()) {
      if (LaneResidency.blocks(one.combination().program())
          > LaneResidency.blocks(most.program())) {
        most = one.combination();
      }
    }
    return most;
  }

  /** The most thread blocks that a rank of a combination has. */
  static int blocks(CheckCoverage coverage) {
    return LaneResidency.blocks(mostBlocks(coverage).program());
  }

  String words() {
    String needed =
        resident == blocks - 1
            ? "needs all %d lanes at once".formatted(blocks)
            : "needs more than %d of %d lanes at once".formatted(resident, blocks);
    return LabelledFacts.fitting(
        "%s: %s with --profile %s".formatted(needed, kind, profile), needed);
  }
}
