package dev.oriel.it.check;

import dev.oriel.it.check.CheckCoverage.CheckedCombination;
import java.util.List;
import java.util.Optional;

/** The combinations that were searched completely, and why the others were not. */
record Proof(CheckCoverage coverage) {

  /** The proved combinations. */
  List<CheckedCombination> proved() {
    return coverage.checked().stream().filter(one -> open(one).isEmpty()).toList();
  }

  /** Whether each searched combination was proved, and none is certainly wrong. */
  boolean complete() {
    return proved().size() == coverage.checked().size() && coverage.wrong().isEmpty();
  }

  /** Why that combination is not proved; empty if it is. */
  static Optional<String> open(CheckedCombination one) {
    if (one.report().found().isPresent()) {
      return Optional.of("it fails");
    }
    if (one.report().anyLaunches().isEmpty()) {
      return Optional.of("later launches were not looked at");
    }
    List<String> uncovered = one.report().uncovered(one.combination().program());
    return uncovered.isEmpty()
        ? Optional.empty()
        : Optional.of(String.join("; ", BoundWords.of(uncovered)));
  }
}
