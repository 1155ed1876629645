package dev.oriel.sim.weak;

/** Ends an execution at its first finding. */
final class FindingException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Finding finding;

  FindingException(Finding finding) {
    super(finding.message(), null, false, false);
    this.finding = finding;
  }

  static FindingException of(String kind, String message) {
    return new FindingException(new Finding(kind, message));
  }

  Finding finding() {
    return finding;
  }
}
