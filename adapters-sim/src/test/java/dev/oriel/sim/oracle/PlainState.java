package dev.oriel.sim.oracle;

import dev.oriel.domain.lowering.Micro;
import dev.oriel.domain.program.Atomic;
import dev.oriel.domain.program.Scope;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * What a {@link PlainSearch} copies at every step. What somebody knows is the set of events that
 * come before whatever they do next: event e is bit 2e; bit 2e + 1 is what every reader sees of it,
 * where e is a network interface's write that GPUs need not see yet.
 */
@SuppressWarnings({"ArrayRecordComponent", "NullAway"})
final class PlainState {
  /**
   * A value of a word and the sets that it releases: in a cluster, in its GPU, and beyond. Of them
   * {@code own} is what its agent released itself, be it by an earlier write of the word.
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

  /** What an agent released, for each level by which a reader may be away from it. */
  record Release(int agent, long[] sets) {}

  /**
   * Every access so far; {@code placed} is the rank whose memory an interface wrote, and {@code by}
   * which one, else -1. What a write of 16 bytes at once comes behind, there and itself, is {@code
   * cell}, else 0.
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

  /** A request; {@code knows} is what its next stage stands behind. */
  record Request(
      Micro.Post post,
      int stage,
      long knows,
      int agent,
      int local,
      int remote,
      int word,
      long operand,
      long compare,
      long carried) {
    Request at(int next, long set, long value) {
      return new Request(post, next, set, agent, local, remote, word, operand, compare, value);
    }
  }

  /**
   * A queue to one peer: its requests, and what each of its stages knows; {@code inOrder} is what
   * the fetches of requests know that are not loose.
   */
  record Queue(
      Request[] requests,
      long fetch,
      long place,
      long read,
      long fill,
      long filled,
      long loose,
      long arranged,
      long inOrder) {}

  /** A change of a word that its lane does not wait for and that has not happened yet. */
  record Update(int word, Atomic change, long value, long compare, int event) {}

  /** By lane, oldest first. */
  List<List<Update>> updates;

  int events;
  int[] pc;
  long[] registers;
  long[] memory;
  Message[][] words;
  int[] views;
  long[] leader;
  long[] worker;

  /** By lane: what its other threads did since they last met. */
  long[] loose;

  /** By lane: what its bulk-copy unit stands behind, and what it copied that nobody waited for. */
  long[] unit;

  long[] copied;

  long[] own;
  long[] fenced;
  long[] pending;

  /** By lane, word and level: what the lane took of the word without an acquire. */
  long[] taken;

  /** A strict fence that was passed, and what it ordered. */
  record Strict(int lane, Scope scope, long set, Strict before) {}

  Strict strict;

  /** The message of that index of a word was found by a strong read, which is that event. */
  record Found(int word, int index, int event, Found before) {}

  Found found;

  /** Words that are locks and taken. */
  BitSet locked = new BitSet();

  Queue[] queues;
  Access accesses;

  /** Whether a source was overwritten, and nothing ordered that behind its fetch. */
  boolean overwrote;

  PlainState copy() {
    PlainState s = new PlainState();
    s.events = events;
    s.pc = pc.clone();
    s.registers = registers.clone();
    s.memory = memory.clone();
    s.words = words.clone();
    s.views = views.clone();
    s.leader = leader.clone();
    s.worker = worker.clone();
    s.loose = loose.clone();
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
