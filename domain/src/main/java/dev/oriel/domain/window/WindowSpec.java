package dev.oriel.domain.window;

/**
 * The parts of a window; every rank passes the same specification, and a count of 0 allocates
 * nothing.
 *
 * @param name names the window in errors and digests: 1 to 64 of letters, digits, '.', '_', '-'
 * @param data the bytes of data of each rank
 * @param signals how many signal slots each peer has at each owner
 * @param counters how many local completion counters an owner has for each RDMA row
 * @param barriers how many barrier ids there are
 * @param rdmaRows which peers have rows in the RDMA half
 */
public record WindowSpec(
    String name, DataSizes data, int signals, int counters, int barriers, RdmaRows rdmaRows) {

  /** The largest count of signals, counters or barriers. */
  public static final int MAX_COUNT = 1 << 16;

  public WindowSpec {
    if (!name.matches("[A-Za-z0-9._-]{1,64}")) {
      throw new IllegalArgumentException(
          "bad window name: name=" + name + "; use 1 to 64 of letters, digits, '.', '_', '-'");
    }
    IndexChecks.count("signals", signals, MAX_COUNT);
    IndexChecks.count("counters", counters, MAX_COUNT);
    IndexChecks.count("barriers", barriers, MAX_COUNT);
  }

  /** A window of no data and no slots. */
  public static WindowSpec named(String name) {
    return new WindowSpec(name, DataSizes.NONE, 0, 0, 0, RdmaRows.RDMA_PEERS);
  }

  /** The same specification with other data sizes. */
  public WindowSpec withData(DataSizes sizes) {
    return new WindowSpec(name, sizes, signals, counters, barriers, rdmaRows);
  }

  /** The same specification with {@code count} signal slots per peer. */
  public WindowSpec withSignals(int count) {
    return new WindowSpec(name, data, count, counters, barriers, rdmaRows);
  }

  /** The same specification with {@code count} counters per RDMA row. */
  public WindowSpec withCounters(int count) {
    return new WindowSpec(name, data, signals, count, barriers, rdmaRows);
  }

  /** The same specification with {@code count} barrier ids. */
  public WindowSpec withBarriers(int count) {
    return new WindowSpec(name, data, signals, counters, count, rdmaRows);
  }

  /** The same specification with RDMA rows for other peers. */
  public WindowSpec withRdmaRows(RdmaRows rows) {
    return new WindowSpec(name, data, signals, counters, barriers, rows);
  }
}
