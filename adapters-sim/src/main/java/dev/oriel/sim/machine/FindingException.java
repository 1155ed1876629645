package dev.oriel.sim.machine;

/** Ends an execution at the first thing that is wrong; made once per execution, without a stack. */
final class FindingException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient Finding finding;

  FindingException(Finding finding) {
    super(finding.message(), null, false, false);
    this.finding = finding;
  }

  Finding finding() {
    return finding;
  }
}
