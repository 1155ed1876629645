package dev.oriel.sim.litmus.steps;

import dev.oriel.sim.litmus.test.MemoryProxy;
import java.util.List;

/**
 * A performed read or write. For a read, {@code source} is the write it returned or {@link #FIRST},
 * and {@code past} has the writes that happened before it. For a write, {@code heads} has its
 * release clocks. {@code partner} is the other half of an update, or -1.
 */
record PerformedAccess(
    int id,
    boolean write,
    Site site,
    long value,
    int source,
    int partner,
    long past,
    List<ReleasePattern> heads) {
  /** The source of an initial value. */
  static final int FIRST = -1;

  /** The actor, address and proxy of an access. */
  record Site(OperationIssuer by, int memory, int address, MemoryProxy proxy) {

    /** Whether both are morally strong. They need one address: only generic accesses are strong. */
    boolean strongWith(Site other) {
      return address == other.address && by.strongWith(other.by);
    }
  }

  static PerformedAccess read(int id, Site site, long value, int source, int partner, long past) {
    return new PerformedAccess(id, false, site, value, source, partner, past, List.of());
  }

  static PerformedAccess write(
      int id, Site site, long value, int partner, List<ReleasePattern> heads) {
    return new PerformedAccess(id, true, site, value, FIRST, partner, 0, heads);
  }
}
