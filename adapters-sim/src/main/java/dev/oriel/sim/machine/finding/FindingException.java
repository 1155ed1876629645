package dev.oriel.sim.machine.finding;

/**
 * Ends an execution at its first violation; it has no stack trace, and one is made per execution.
 */
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
