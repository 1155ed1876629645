package dev.oriel.domain.window;

import java.util.Arrays;

/**
 * The bytes of data that each rank contributes to a window: the same everywhere, or one size each.
 */
public final class DataSizes {

  /** The largest contribution of one rank: 256 TiB. */
  public static final long MAX_BYTES = 1L << 48;

  /** No data anywhere. */
  public static final DataSizes NONE = uniform(0);

  private final long everywhere;
  private final long[] perRank;

  private DataSizes(long everywhere, long[] perRank) {
    this.everywhere = check(everywhere);
    this.perRank = perRank;
    Arrays.stream(perRank).forEach(DataSizes::check);
  }

  /** The same size on every rank of any world. */
  public static DataSizes uniform(long bytes) {
    return new DataSizes(bytes, new long[0]);
  }

  /** One size for each rank, in rank order. */
  public static DataSizes perRank(long... bytes) {
    if (bytes.length == 0) {
      throw new IllegalArgumentException("no data sizes: ranks=0; give one size for each rank");
    }
    return new DataSizes(0, bytes.clone());
  }

  /** The bytes that {@code rank} contributes. */
  public long of(int rank) {
    if (perRank.length == 0) {
      return everywhere;
    }
    IndexChecks.index("rank", rank, perRank.length);
    return perRank[rank];
  }

  /** Whether there is a size for every rank of {@code world} and for no other. */
  public boolean fits(int world) {
    return perRank.length == 0 || perRank.length == world;
  }

  private static long check(long bytes) {
    if (bytes < 0 || bytes > MAX_BYTES) {
      throw new IllegalArgumentException(
          "bad data size: bytes=" + bytes + "; use 0 to " + MAX_BYTES + " bytes");
    }
    return bytes;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof DataSizes that
        && everywhere == that.everywhere
        && Arrays.equals(perRank, that.perRank);
  }

  @Override
  public int hashCode() {
    return 31 * Long.hashCode(everywhere) + Arrays.hashCode(perRank);
  }

  @Override
  public String toString() {
    return perRank.length == 0 ? Long.toString(everywhere) : Arrays.toString(perRank);
  }
}
