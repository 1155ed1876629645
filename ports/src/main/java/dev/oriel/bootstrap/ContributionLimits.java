package dev.oriel.bootstrap;

/**
 * The largest contribution and the largest result, in bytes; nothing longer is ever allocated, sent
 * or accepted.
 *
 * @param contributionBytes the most that one rank may contribute, at least {@link #LEAST}
 * @param totalBytes the most that all ranks together may contribute, at most {@link #MOST}
 */
public record ContributionLimits(int contributionBytes, int totalBytes) {
  /** The least that one rank may always contribute: an agreement's texts fit in it. */
  public static final int LEAST = 4096;

  /** The most that all ranks together may ever contribute. */
  public static final int MOST = 1 << 30;

  /** Rejects limits that an agreement does not fit in, or that an array could not hold. */
  public ContributionLimits {
    if (contributionBytes < LEAST || totalBytes > MOST || totalBytes < contributionBytes) {
      throw new IllegalArgumentException(
          "limits out of range: contributionBytes=%d, totalBytes=%d; keep %d <= contributionBytes <= totalBytes <= %d"
              .formatted(contributionBytes, totalBytes, LEAST, MOST));
    }
  }

  /** 16 MiB for each rank, 1 GiB for all. */
  public static ContributionLimits standard() {
    return new ContributionLimits(16 << 20, MOST);
  }

  /** The most that one rank of {@code world} may contribute, such that the total always fits. */
  int perRank(int world) {
    int share = totalBytes / world;
    if (share < LEAST) {
      throw new IllegalArgumentException(
          "limits leave too little for each rank: totalBytes=%d, world=%d, perRank=%d, min=%d; raise totalBytes"
              .formatted(totalBytes, world, share, LEAST));
    }
    return Math.min(contributionBytes, share);
  }
}
