package dev.oriel.domain.tuning;

import java.util.List;

/**
 * Settings by bytes per peer, as a step function: the first row whose limit is at least that many
 * bytes applies.
 *
 * @param rows limits and settings, limits ascending
 * @param beyond the setting above the last limit
 */
public record BlockTable(List<Row> rows, PeerResources beyond) {
  private static final long KIB = 1024;
  private static final long MIB = 1024 * KIB;

  /** For peers over NVLink. */
  public static final BlockTable NVLINK =
      new BlockTable(
          List.of(
              row(KIB, 1, 4, 64),
              row(2 * KIB, 1, 8, 64),
              row(4 * KIB, 1, 8, 64),
              row(8 * KIB, 1, 16, 64),
              row(16 * KIB, 1, 16, 64),
              row(32 * KIB, 1, 16, 64),
              row(64 * KIB, 1, 32, 64),
              row(128 * KIB, 8, 16, 64),
              row(256 * KIB, 8, 16, 64)),
          new PeerResources(16, 16, 64 * KIB));

  /** For peers over InfiniBand. */
  public static final BlockTable INFINIBAND =
      new BlockTable(
          List.of(
              row(KIB, 1, 4, 256),
              row(4 * KIB, 1, 16, 128),
              row(16 * KIB, 1, 8, 256),
              row(64 * KIB, 1, 4, 64),
              row(256 * KIB, 1, 8, 512),
              row(512 * KIB, 1, 4, 512),
              row(MIB, 1, 16, 256),
              row(4 * MIB, 4, 16, 512)),
          new PeerResources(8, 16, 512 * KIB));

  /** A step: up to and including {@code limit} bytes per peer. */
  public record Row(long limit, PeerResources setting) {}

  public BlockTable {
    rows = List.copyOf(rows);
    for (int at = 1; at < rows.size(); at++) {
      if (rows.get(at - 1).limit() >= rows.get(at).limit()) {
        throw new IllegalArgumentException(
            "limits do not ascend: row=%d, limit=%d, before=%d; sort them and keep one of each"
                .formatted(at, rows.get(at).limit(), rows.get(at - 1).limit()));
      }
    }
  }

  private static Row row(long limit, int blocks, int warps, long kib) {
    return new Row(limit, new PeerResources(blocks, warps, kib * KIB));
  }

  /** The setting for that many bytes per peer. */
  public PeerResources at(long bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("negative size: bytes=" + bytes + "; count from 0");
    }
    for (Row row : rows) {
      if (bytes <= row.limit()) {
        return row.setting();
      }
    }
    return beyond;
  }
}
