package dev.oriel.sim.litmus.steps;

import static dev.oriel.sim.litmus.answer.Masks.bit;
import static dev.oriel.sim.litmus.answer.Masks.has;
import static dev.oriel.sim.litmus.answer.Masks.lowest;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was performed so far, access by access, and the order of the writes of a memory so far as it
 * is fixed. A write goes anywhere into that order, not only behind what is there: two strong writes
 * may be ordered against the order in which they were performed.
 */
final class History {
  private final @Nullable Access[] accesses;

  /** Of a write: those behind it, closed. */
  private final long[] later;

  private long performed;

  History(int size) {
    accesses = new Access[size];
    later = new long[size];
  }

  private History(History from) {
    accesses = from.accesses.clone();
    later = from.later.clone();
    performed = from.performed;
  }

  History copy() {
    return new History(this);
  }

  long performed() {
    return performed;
  }

  Access get(int id) {
    Access access = accesses[id];
    if (access == null) {
      throw new IllegalStateException("access not performed: id=" + id + "; report it");
    }
    return access;
  }

  long writes(int memory) {
    long writes = 0;
    for (long rest = performed; rest != 0; rest &= rest - 1) {
      Access access = get(lowest(rest));
      writes |= access.write() && access.site().memory() == memory ? bit(access.id()) : 0;
    }
    return writes;
  }

  /** The writes behind one, or behind what memory held at first. */
  long behind(int write, int memory) {
    return write == Access.FIRST ? writes(memory) : later[write];
  }

  void add(Access access) {
    accesses[access.id()] = access;
    performed |= bit(access.id());
  }

  /** The write that a read returned, if it saw it morally strongly. */
  long observed(Access read) {
    boolean seen =
        read.source() != Access.FIRST && get(read.source()).site().strongWith(read.site());
    return seen ? bit(read.source()) : 0;
  }

  /** Every way to order a write that is behind some writes already and beside the others. */
  List<History> placed(Access write, long past) {
    List<History> ways = new ArrayList<>();
    long all = writes(write.site().memory());
    long open = 0;
    for (long rest = all; rest != 0; rest &= rest - 1) {
      Access other = get(lowest(rest));
      if (other.site().strongWith(write.site())) {
        open |= bit(other.id());
      }
    }
    place(write, all, open, before(all, past), 0, ways);
    return ways;
  }

  /** Some writes and all that are before them. */
  private long before(long all, long some) {
    long before = some;
    for (long rest = all; rest != 0; rest &= rest - 1) {
      int write = lowest(rest);
      before |= (later[write] & some) != 0 ? bit(write) : 0;
    }
    return before;
  }

  private void place(
      Access write, long all, long open, long before, long behind, List<History> ways) {
    long undecided = open & ~before & ~behind;
    if (undecided != 0) {
      int other = lowest(undecided);
      place(write, all, open, before | before(all, bit(other)), behind, ways);
      place(write, all, open, before, behind | bit(other) | later[other], ways);
      return;
    }
    History way = copy();
    way.add(write);
    way.later[write.id()] = behind;
    for (long rest = before; rest != 0; rest &= rest - 1) {
      way.later[lowest(rest)] |= bit(write.id()) | behind;
    }
    if (way.coherent(write.site().memory())) {
      ways.add(way);
    }
  }

  /** Whether no read of a memory is contradicted by the order of its writes. */
  boolean coherent(int memory) {
    for (long rest = performed; rest != 0; rest &= rest - 1) {
      Access access = get(lowest(rest));
      if (access.site().memory() == memory && !access.write() && (hidden(access) || torn(access))) {
        return false;
      }
    }
    return true;
  }

  /** Whether a read returned what one that happened before it had replaced. */
  private boolean hidden(Access read) {
    return (behind(read.source(), read.site().memory()) & read.past()) != 0;
  }

  /**
   * Whether a write came between the halves of an update. It may only if it is not morally strong
   * with it, but such a one would have happened before the update, which then had read it.
   */
  private boolean torn(Access read) {
    if (read.partner() < 0 || !has(performed, read.partner())) {
      return false;
    }
    long between = behind(read.source(), read.site().memory());
    for (long rest = between; rest != 0; rest &= rest - 1) {
      if (has(later[lowest(rest)], read.partner())) {
        return true;
      }
    }
    return false;
  }

  /** The writes of a memory behind which there is none; empty if memory is as at first. */
  long last(int memory) {
    long last = writes(memory);
    for (long rest = last; rest != 0; rest &= rest - 1) {
      last &= later[lowest(rest)] == 0 ? -1 : ~bit(lowest(rest));
    }
    return last;
  }

  void describe(KeyWriter key) {
    for (long rest = performed; rest != 0; rest &= rest - 1) {
      Access access = get(lowest(rest));
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
