package dev.oriel.sim.oracle;

import dev.oriel.domain.lowering.MicroOperation;
import dev.oriel.domain.program.Atomic;
import dev.oriel.domain.program.Scope;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * The state that a {@link PlainSearch} copies at every step. The knowledge of an agent is the set
 * of events that happen before its next step. Event e is bit 2e. Bit 2e + 1 is its visibility to
 * every reader, if e is a network interface's write that GPUs need not see yet.
 */
@SuppressWarnings({"ArrayRecordComponent", "NullAway"})
final class PlainState {
  /**
   * A value of a word and the sets that it releases: in a cluster, in its GPU, and beyond. Of
   * these, {@code own} was released by its agent itself, possibly by an earlier write of the word.
   */
  record Message(
      long value,
      int event,
      int agent,
      int scope,
      boolean update,
      List<Release> releases,
      long[] own) {
    Message(long value, int event, int agent, int scope, long[] sets) {
      this(
          value,
          event,
          agent,
          scope,
          false,
          event < 0 ? List.of() : List.of(new Release(agent, sets)),
          PlainCode.nothing());
    }
  }

  /** The release of an agent, for each level of distance to a reader. */
  record Release(int agent, long[] sets) {}

  /**
   * All accesses so far. {@code placed} is the rank whose memory an interface wrote, and {@code by}
   * that interface, else -1. {@code cell} holds the events before a write of 16 bytes at once, and
   * that write itself. Of an interface's write of an awaited word it holds that write, else 0.
   */
  record Access(
      int event,
      int place,
      boolean write,
      boolean strong,
      boolean fetch,
      int placed,
      int by,
      long cell,
      Access next) {
    Access(
        int event,
        int place,
        boolean write,
        boolean strong,
        boolean fetch,
        int placed,
        int by,
        Access next) {
      this(event, place, write, strong, fetch, placed, by, 0, next);
    }

    boolean poll() {
      return strong && !write;
    }
  }

  /**
   * A request; {@code knows} is the set of events before its next stage. It carries one word or
   * two.
   */
  record Request(
      MicroOperation.Post post,
      int stage,
      long knows,
      int agent,
      int local,
      int remote,
      int word,
      long operand,
      long compare,
      long carried,
      long second) {
    Request(
        MicroOperation.Post post,
        int stage,
        long knows,
        int agent,
        int local,
        int remote,
        int word,
        long operand,
        long compare,
        long carried) {
      this(post, stage, knows, agent, local, remote, word, operand, compare, carried, 0);
    }

    Request at(int next, long set, long value) {
      return at(next, set, value, second);
    }

    Request at(int next, long set, long value, long other) {
      return new Request(
          post, next, set, agent, local, remote, word, operand, compare, value, other);
    }
  }

  /**
   * A queue to one peer: its requests, and the events before each of its stages. {@code inOrder}
   * holds the events before the fetches of ordered requests.
   */
  record Queue(
      Request[] requests,
      long fetch,
      long place,
      long read,
      long fill,
      long filled,
      long unordered,
      long arranged,
      long inOrder) {}

  /** A pending change of a word for which its lane does not wait. */
  record Update(int word, Atomic change, long value, long compare, int event) {}

  /** By lane, oldest first. */
  List<List<Update>> updates;

  int events;
  int[] pc;

  /** The lanes that have begun, which matters where not all are resident. */
  BitSet begun = new BitSet();

  long[] registers;
  long[] memory;
  Message[][] words;
  int[] views;
  long[] leader;
  long[] worker;

  /** By lane: the events of its other threads since their last barrier. */
  long[] unordered;

  /**
   * By lane: the events before its bulk-copy unit's next copy, and its copies that nobody waited
   * for.
   */
  long[] unit;

  long[] copied;

  long[] own;
  long[] fenced;
  long[] pending;

  /** By lane, word and level: the releases that the lane read from the word without an acquire. */
  long[] taken;

  /** A strict fence that was executed, and the events that it ordered. */
  record Strict(int lane, Scope scope, long set, Strict before) {}

  Strict strict;

  /** A strong read, which is that event, found the message of that index of a word. */
  record Found(int word, int index, int event, Found before) {}

  Found found;

  /** Words that are locks and taken. */
  BitSet locked = new BitSet();

  Queue[] queues;
  Access accesses;

  /** Whether a source was overwritten without an order after its fetch. */
  boolean overwrote;

  PlainState copy() {
    PlainState s = new PlainState();
    s.events = events;
    s.pc = pc.clone();
    s.begun = (BitSet) begun.clone();
    s.registers = registers.clone();
    s.memory = memory.clone();
    s.words = words.clone();
    s.views = views.clone();
    s.leader = leader.clone();
    s.worker = worker.clone();
    s.unordered = unordered.clone();
    s.unit = unit.clone();
    s.copied = copied.clone();
    s.own = own.clone();
    s.fenced = fenced.clone();
    s.pending = pending.clone();
    s.taken = taken.clone();
    s.queues = queues.clone();
    s.accesses = accesses;
    s.overwrote = overwrote;
    s.strict = strict;
    s.found = found;
    s.locked = (BitSet) locked.clone();
    s.updates = new ArrayList<>(updates);
    return s;
  }
}
