package dev.oriel.domain.persistent;

/** The collective of a call: which bytes go where, equally many between any two ranks. */
public enum ExchangePattern {
  /** Every rank's bytes to every rank. */
  ALL_GATHER("all-gather"),
  /** Different bytes to each rank, one share after the other in rank order. */
  ALL_TO_ALL("all-to-all");

  private final String spelling;

  ExchangePattern(String spelling) {
    this.spelling = spelling;
  }

  public String spelling() {
    return spelling;
  }

  /** The length of a rank's source, if {@code bytes} go to each rank. */
  public long source(int world, long bytes) {
    return this == ALL_GATHER ? bytes : world * bytes;
  }

  /** The offset in a rank's source of the share for that peer. */
  public long share(int peer, long bytes) {
    return this == ALL_GATHER ? 0 : peer * bytes;
  }
}
