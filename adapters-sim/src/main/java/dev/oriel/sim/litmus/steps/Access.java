package dev.oriel.sim.litmus.steps;

import dev.oriel.sim.litmus.test.Proxy;
import java.util.List;

/**
 * A performed read or write. For a read, {@code source} is the write it returned or {@link #FIRST},
 * and {@code past} has the writes that happened before it. For a write, {@code heads} has its
 * release clocks. {@code partner} is the other half of an update, or -1.
 */
record Access(
    int id,
    boolean write,
    Site site,
    long value,
    int source,
    int partner,
    long past,
    List<Head> heads) {
  /** The source of an initial value. */
  static final int FIRST = -1;

  /** The actor, address and proxy of an access. */
  record Site(Actor by, int memory, int address, Proxy proxy) {

    /** Whether both are morally strong. They need one address: only generic accesses are strong. */
    boolean strongWith(Site other) {
      return address == other.address && by.strongWith(other.by);
    }
  }

  static Access read(int id, Site site, long value, int source, int partner, long past) {
    return new Access(id, false, site, value, source, partner, past, List.of());
  }

  static Access write(int id, Site site, long value, int partner, List<Head> heads) {
    return new Access(id, true, site, value, FIRST, partner, 0, heads);
  }
}
