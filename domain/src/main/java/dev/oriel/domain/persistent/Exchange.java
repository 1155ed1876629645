package dev.oriel.domain.persistent;

/** Which bytes a call brings where: as many from each rank to each. */
public enum Exchange {
  /** Every rank's bytes to every rank. */
  ALL_GATHER("all-gather"),
  /** Other bytes to each rank, one share behind the other in the order of ranks. */
  ALL_TO_ALL("all-to-all");

  private final String spelling;

  Exchange(String spelling) {
    this.spelling = spelling;
  }

  public String spelling() {
    return spelling;
  }

  /** How long a rank's source is, if as many bytes go to each. */
  public long source(int world, long bytes) {
    return this == ALL_GATHER ? bytes : world * bytes;
  }

  /** Where in its source a rank has what is for that peer. */
  public long share(int peer, long bytes) {
    return this == ALL_GATHER ? 0 : peer * bytes;
  }
}
