package dev.oriel.it.check;

import dev.oriel.it.check.CheckCoverage.CheckedCombination;
import dev.oriel.sim.search.AnyLaunches;
import java.util.List;
import java.util.Optional;

/** The combinations that were searched completely, and why the others were not. */
record Proof(CheckCoverage coverage) {

  /** The begin of the reason that output bytes are not promised. */
  static final String UNPROMISED = "no ensure covers";

  /** The proved combinations. */
  List<CheckedCombination> proved() {
    return coverage.checked().stream().filter(one -> open(one).isEmpty()).toList();
  }

  /** Whether each searched combination was proved, and none is certainly wrong. */
  boolean complete() {
    return proved().size() == coverage.checked().size() && coverage.wrong().isEmpty();
  }

  /**
   * Why that combination is not proved; empty if it is. Proved means: every order was visited, no
   * bound was hit, any number of launches is covered with all inputs, and every output byte is
   * promised.
   */
  static Optional<String> open(CheckedCombination one) {
    if (one.report().found().isPresent()) {
      return Optional.of("it fails");
    }
    if (!ExplorationSummary.complete(one.report()) || !one.report().verdict().bounds().isEmpty()) {
      return Optional.of(String.join("; ", BoundWords.of(one.report().verdict().bounds())));
    }
    if (!one.report().closed()) {
      return Optional.of(
          "no more than some launches: "
              + one.report().anyLaunches().map(AnyLaunches::why).orElse("not looked at"));
    }
    if (!ExplorationSummary.loaded(one.combination().program()).isEmpty()) {
      return Optional.of("any number of launches, but with 4 draws of input words, not with all");
    }
    long unpromised =
        one.report().verdict().outputs().bytes() - one.report().verdict().outputs().promised();
    return unpromised == 0
        ? Optional.empty()
        : Optional.of(UNPROMISED + " %d output bytes for every input".formatted(unpromised));
  }
}
