package dev.oriel.it.check;

import dev.oriel.domain.binding.OutputCoverage;
import dev.oriel.it.options.ExitCodes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Whether output bytes without a post-condition, and refusals in doubt, are failures. */
enum CoverageStrictness {
  /** They are named, and the exit code ignores them. */
  NAMED,
  /** They are a failure of a kind of its own. */
  FAILURE;

  /** The kind of failure, as verdicts and JSON name it. */
  static final String KIND = "unpromised";

  /** The kind of failure of a combination that is refused although the text accepts it. */
  static final String REFUSED = "refused";

  /** The kind of failure of a text with a block that nothing executes. */
  static final String UNREACHED = "unreached";

  /** The blocks that fail since nothing executes them, in words. */
  Optional<String> broken(UnreachedWords unreached) {
    return this == FAILURE ? unreached.never() : Optional.empty();
  }

  /** Whether otherwise correct outputs fail. */
  boolean broken(OutputCoverage outputs) {
    return this == FAILURE && outputs.unpromised() > 0;
  }

  /** Whether outputs of one of the combinations fail. */
  boolean broken(CheckCoverage coverage) {
    return broken(coverage.silent().report().verdict().outputs());
  }

  /** The refused combinations that fail. */
  List<CheckCoverage.RefusedCombination> wrong(CheckCoverage coverage) {
    List<CheckCoverage.RefusedCombination> wrong = new ArrayList<>(coverage.wrong());
    if (this == FAILURE) {
      wrong.addAll(coverage.doubtful());
    }
    return wrong;
  }

  /** The message about outputs that fail. */
  static String message(OutputCoverage outputs) {
    return "no ensure speaks of %d of %d output bytes; promise them, or leave out --strict"
        .formatted(outputs.unpromised(), outputs.bytes());
  }

  /** The exit code for the findings. */
  int exit(CheckCoverage coverage, UnreachedWords unreached) {
    return coverage.failed()
            || broken(coverage)
            || !wrong(coverage).isEmpty()
            || broken(unreached).isPresent()
        ? ExitCodes.VIOLATION
        : ExitCodes.FINE;
  }
}
