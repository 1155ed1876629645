package dev.oriel.it.check;

import dev.oriel.domain.binding.OutputCoverage;
import dev.oriel.it.options.ExitCodes;

/** Whether output bytes without a post-condition are a failure. */
enum CoverageStrictness {
  /** They are named, and the exit code ignores them. */
  NAMED,
  /** They are a failure of a kind of its own. */
  FAILURE;

  /** The kind of failure, as verdicts and JSON name it. */
  static final String KIND = "unpromised";

  /** Whether otherwise correct outputs fail. */
  boolean broken(OutputCoverage outputs) {
    return this == FAILURE && outputs.unpromised() > 0;
  }

  /** Whether outputs of one of the combinations fail. */
  boolean broken(CheckCoverage coverage) {
    return broken(coverage.silent().report().verdict().outputs());
  }

  /** The message about outputs that fail. */
  static String message(OutputCoverage outputs) {
    return "no ensure speaks of %d of %d output bytes; promise them, or leave out --strict"
        .formatted(outputs.unpromised(), outputs.bytes());
  }

  /** The exit code for the findings. */
  int exit(CheckCoverage coverage) {
    return coverage.failed() || broken(coverage) ? ExitCodes.VIOLATION : ExitCodes.FINE;
  }
}
