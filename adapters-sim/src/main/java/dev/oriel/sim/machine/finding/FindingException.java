package dev.oriel.sim.machine.finding;

/** Ends an execution at the first thing that is wrong; made once per execution, without a stack. */
public final class FindingException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient Finding finding;

  public FindingException(Finding finding) {
    super(finding.message(), null, false, false);
    this.finding = finding;
  }

  public Finding finding() {
    return finding;
  }
}
