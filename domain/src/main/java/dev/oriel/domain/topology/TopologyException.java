package dev.oriel.domain.topology;

/** The facts of all ranks are inconsistent; every rank gets this same error for the same rank. */
public final class TopologyException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  private final int rank;

  TopologyException(int rank, String message) {
    super(message);
    this.rank = rank;
  }

  /** The lowest rank whose facts are at fault. */
  public int rank() {
    return rank;
  }
}
