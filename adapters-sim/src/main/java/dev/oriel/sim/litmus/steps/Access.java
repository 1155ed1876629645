package dev.oriel.sim.litmus.steps;

import dev.oriel.sim.litmus.test.Proxy;
import java.util.List;

/**
 * A read or a write that was performed. Of a read: {@code source} the write it returned or {@link
 * #FIRST}, {@code past} the writes that happened before it. Of a write: {@code heads}. {@code
 * partner} is the other half of an update, or -1.
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
  /** The source of what memory held at first. */
  static final int FIRST = -1;

  /** By whom, where and how memory is accessed. */
  record Site(Actor by, int memory, int address, Proxy proxy) {

    /** Of one name of the memory: only accesses of the ordinary way to it are strong. */
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
