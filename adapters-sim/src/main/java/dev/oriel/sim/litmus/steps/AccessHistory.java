package dev.oriel.sim.litmus.steps;

import static dev.oriel.sim.litmus.answer.EventRelations.bit;
import static dev.oriel.sim.litmus.answer.EventRelations.has;
import static dev.oriel.sim.litmus.answer.EventRelations.lowest;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The accesses performed so far, and the known part of the coherence order of each memory. A write
 * may enter that order anywhere, not only at its end: two strong writes may be ordered against the
 * order in which they were performed.
 */
final class AccessHistory {
  private final @Nullable PerformedAccess[] accesses;

  /** For a write: the writes after it in coherence, transitively closed. */
  private final long[] later;

  private long performed;

  AccessHistory(int size) {
    accesses = new PerformedAccess[size];
    later = new long[size];
  }

  private AccessHistory(AccessHistory from) {
    accesses = from.accesses.clone();
    later = from.later.clone();
    performed = from.performed;
  }

  AccessHistory copy() {
    return new AccessHistory(this);
  }

  long performed() {
    return performed;
  }

  PerformedAccess get(int id) {
    PerformedAccess access = accesses[id];
    if (access == null) {
      throw new IllegalStateException("access not performed: id=" + id + "; report it");
    }
    return access;
  }

  long writes(int memory) {
    long writes = 0;
    for (long rest = performed; rest != 0; rest &= rest - 1) {
      PerformedAccess access = get(lowest(rest));
      writes |= access.write() && access.site().memory() == memory ? bit(access.id()) : 0;
    }
    return writes;
  }

  /** The writes after that write in coherence, or after the initial value. */
  long after(int write, int memory) {
    return write == PerformedAccess.FIRST ? writes(memory) : later[write];
  }

  void add(PerformedAccess access) {
    accesses[access.id()] = access;
    performed |= bit(access.id());
  }

  /** The write that a read returned, if it observed it morally strongly. */
  long observed(PerformedAccess read) {
    boolean seen =
        read.source() != PerformedAccess.FIRST && get(read.source()).site().strongWith(read.site());
    return seen ? bit(read.source()) : 0;
  }

  /** Every way to order a write that comes after some writes and is unordered with the others. */
  List<AccessHistory> placed(PerformedAccess write, long past) {
    List<AccessHistory> ways = new ArrayList<>();
    long all = writes(write.site().memory());
    long open = 0;
    for (long rest = all; rest != 0; rest &= rest - 1) {
      PerformedAccess other = get(lowest(rest));
      if (other.site().strongWith(write.site())) {
        open |= bit(other.id());
      }
    }
    place(write, all, open, before(all, past), 0, ways);
    return ways;
  }

  /** Some writes and all writes before them. */
  private long before(long all, long some) {
    long before = some;
    for (long rest = all; rest != 0; rest &= rest - 1) {
      int write = lowest(rest);
      before |= (later[write] & some) != 0 ? bit(write) : 0;
    }
    return before;
  }

  private void place(
      PerformedAccess write,
      long all,
      long open,
      long before,
      long after,
      List<AccessHistory> ways) {
    long undecided = open & ~before & ~after;
    if (undecided != 0) {
      int other = lowest(undecided);
      place(write, all, open, before | before(all, bit(other)), after, ways);
      place(write, all, open, before, after | bit(other) | later[other], ways);
      return;
    }
    AccessHistory way = copy();
    way.add(write);
    way.later[write.id()] = after;
    for (long rest = before; rest != 0; rest &= rest - 1) {
      way.later[lowest(rest)] |= bit(write.id()) | after;
    }
    if (way.coherent(write.site().memory())) {
      ways.add(way);
    }
  }

  /** Whether the order of a memory's writes is consistent with all its reads. */
  boolean coherent(int memory) {
    for (long rest = performed; rest != 0; rest &= rest - 1) {
      PerformedAccess access = get(lowest(rest));
      if (access.site().memory() == memory && !access.write() && (hidden(access) || torn(access))) {
        return false;
      }
    }
    return true;
  }

  /**
   * Whether a read returned a value that was replaced by a write which happened before the read.
   */
  private boolean hidden(PerformedAccess read) {
    return (after(read.source(), read.site().memory()) & read.past()) != 0;
  }

  /**
   * Whether a write came between the halves of an update. This is permitted only for a write that
   * is not morally strong with the update. Such a write would have happened before the update,
   * which would then have read it.
   */
  private boolean torn(PerformedAccess read) {
    if (read.partner() < 0 || !has(performed, read.partner())) {
      return false;
    }
    long between = after(read.source(), read.site().memory());
    for (long rest = between; rest != 0; rest &= rest - 1) {
      if (has(later[lowest(rest)], read.partner())) {
        return true;
      }
    }
    return false;
  }

  /** The coherence-maximal writes of a memory; empty if it has its initial value. */
  long last(int memory) {
    long last = writes(memory);
    for (long rest = last; rest != 0; rest &= rest - 1) {
      last &= later[lowest(rest)] == 0 ? -1 : ~bit(lowest(rest));
    }
    return last;
  }

  void describe(StateKeyWriter key) {
    for (long rest = performed; rest != 0; rest &= rest - 1) {
      PerformedAccess access = get(lowest(rest));
      key.number(access.id());
      key.number(access.write() ? later[access.id()] : access.source());
      key.number(access.value());
      key.number(access.past());
      key.list(access.heads(), key::head);
    }
  }

  @Override
  public String toString() {
    return Arrays.toString(accesses);
  }
}
