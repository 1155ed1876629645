package dev.oriel.sim.machine.nic;

import static dev.oriel.sim.machine.layout.RequestLayout.BYTES;
import static dev.oriel.sim.machine.layout.RequestLayout.CAUSES;
import static dev.oriel.sim.machine.layout.RequestLayout.CHANGE;
import static dev.oriel.sim.machine.layout.RequestLayout.COMPONENT;
import static dev.oriel.sim.machine.layout.RequestLayout.FETCHED;
import static dev.oriel.sim.machine.layout.RequestLayout.FLAGS;
import static dev.oriel.sim.machine.layout.RequestLayout.KIND;
import static dev.oriel.sim.machine.layout.RequestLayout.LOCAL;
import static dev.oriel.sim.machine.layout.RequestLayout.PASSED;
import static dev.oriel.sim.machine.layout.RequestLayout.RELAXED;
import static dev.oriel.sim.machine.layout.RequestLayout.REMOTE;
import static dev.oriel.sim.machine.layout.RequestLayout.REMOTE_AT;
import static dev.oriel.sim.machine.layout.RequestLayout.RETIRED;
import static dev.oriel.sim.machine.layout.RequestLayout.ROW;
import static dev.oriel.sim.machine.layout.RequestLayout.SITE;
import static dev.oriel.sim.machine.layout.RequestLayout.STAGE;
import static dev.oriel.sim.machine.layout.RequestLayout.UNCOVERED;
import static dev.oriel.sim.machine.layout.RequestLayout.UNORDERED;
import static dev.oriel.sim.machine.layout.RequestLayout.WORD;

import dev.oriel.domain.program.Atomic;
import dev.oriel.sim.code.LaneOpcode.Request;
import dev.oriel.sim.machine.clocks.ComponentClocks;
import dev.oriel.sim.machine.clocks.ReleaseClocks;
import dev.oriel.sim.machine.layout.AgentLayout;
import dev.oriel.sim.machine.layout.CausalClockIndex;
import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.layout.RequestLayout;
import dev.oriel.sim.machine.memory.DataWords;
import dev.oriel.sim.machine.memory.MemoryKeys;
import dev.oriel.sim.machine.memory.SharedSubsystems;
import dev.oriel.sim.machine.report.FindingReporter;
import dev.oriel.sim.machine.settings.OrderingAssumptions;
import dev.oriel.sim.machine.state.MachineState;
import dev.oriel.sim.machine.state.RequestRing;
import dev.oriel.sim.machine.step.StepFootprint;
import dev.oriel.sim.machine.words.LockHolders;
import dev.oriel.sim.machine.words.SyncWords;
import dev.oriel.sim.machine.words.WordWrites;

/**
 * The stage of a request at the peer: the interface places bytes and changes words there. The order
 * is that of the queue only as far as requests ask for it.
 */
@SuppressWarnings("EnumOrdinal") // flat code is made of ordinals
final class PlaceStage {
  /** The number of a plain store among the changes of a word. */
  private static final int SET = Atomic.SET.ordinal();

  private final MachineModel model;
  private final AgentLayout agents;
  private final ComponentClocks clocks;
  private final SyncWords words;
  private final ReleaseClocks releaseClocks;
  private final WordWrites writes;
  private final DataWords dataWords;
  private final MemoryKeys keys;
  private final OrderingAssumptions kept;
  private final FindingReporter reports;
  private final RequestRing ring;
  private final QueueOrder order;

  PlaceStage(SharedSubsystems shared, RequestRing ring, QueueOrder order, MemoryKeys keys) {
    model = shared.model;
    agents = model.agents;
    clocks = shared.clocks;
    words = shared.words;
    releaseClocks = shared.releaseClocks;
    writes = shared.writes;
    dataWords = shared.dataWords;
    kept = shared.kept;
    reports = shared.reports;
    this.ring = ring;
    this.order = order;
    this.keys = keys;
  }

  /**
   * The {@code rank}-th request among those that may be placed now, strict ones first; -1 if there
   * are not so many.
   */
  int placeable(MachineState s, int queue, int rank) {
    int h = ring.header(queue);
    int left = rank;
    boolean strictWaits = false;
    boolean relaxedWaits = false;
    boolean unorderedWaits = false;
    boolean closed = false;
    boolean countWaits = false;
    for (int n = s.requests[h + RETIRED]; n < s.requests[h + FETCHED]; n++) {
      int e = ring.entry(queue, n);
      int kind = s.requests[e + KIND];
      if (!RequestLayout.places(kind) || s.requests[e + STAGE] != 1) {
        continue;
      }
      int flags = s.requests[e + FLAGS];
      boolean first = !strictWaits && !relaxedWaits && !unorderedWaits && !closed;
      if (RequestLayout.aside(kind)) {
        if (!countWaits && (first || !kept.fused(agents.queueNumber[queue])) && left-- == 0) {
          return n;
        }
        countWaits = true;
        continue;
      }
      if (closed) {
        continue;
      }
      if (kind == Request.ARRANGE) {
        if (first && left-- == 0) {
          return n;
        }
        if (agents.count[queue] < 0) {
          return -1;
        }
        closed = true;
        continue;
      }
      boolean unordered = (flags & UNORDERED) != 0;
      boolean relaxed = (flags & RELAXED) != 0;
      boolean waits = unordered ? false : relaxed ? strictWaits : strictWaits || relaxedWaits;
      if (!waits && !locked(s, e) && left-- == 0) {
        return n;
      }
      unorderedWaits |= unordered;
      relaxedWaits |= relaxed;
      strictWaits |= !unordered && !relaxed;
    }
    return -1;
  }

  /** Whether the request is for a lock that is taken; then it waits. */
  private boolean locked(MachineState s, int entry) {
    return s.requests[entry + KIND] == Request.LOCK && words.last(s, s.requests[entry + WORD]) != 0;
  }

  /** Places a request at the peer. */
  void place(MachineState s, int queue, int number) {
    int e = ring.entry(queue, number);
    int kind = s.requests[e + KIND];
    int component = s.requests[e + COMPONENT];
    if (RequestLayout.aside(kind)) {
      count(s, queue, number);
      return;
    }
    if (agents.read[queue] >= 0) {
      passes(s, queue, number);
    }
    if (kind == Request.ARRANGE) {
      arrange(s, queue, number, e);
      return;
    }
    clocks.join(s, component, s.releases, s.requests[e + ROW]);
    order.afterArranged(s, queue, component);
    s.requests[e + CAUSES] = order.arrangedToo(s, queue, s.requests[e + CAUSES]);
    if (kept.oneQueue) {
      order.afterSiblings(s, queue, component);
    }
    reports.stage(queue, number, 2, s.requests[e + SITE], false);
    s.requests[e + STAGE] = 2;
    if (writes(kind)) {
      write(s, queue, number, e);
    }
    switch (kind) {
      case Request.SLOT -> {
        if ((s.requests[e + FLAGS] & UNCOVERED) == 0) {
          releaseClocks.all(s, component);
        } else {
          releaseClocks.row(s.releases.joined(s.requests[e + ROW], order.arranged(s, queue)));
        }
        change(s, queue, number, e, true);
      }
      case Request.WRITE_AND_SIGNAL -> {
        releaseClocks.all(s, component);
        change(s, queue, number, e, true);
      }
      case Request.CHANGE, Request.LOCK -> {
        releaseClocks.all(s, component);
        change(s, queue, number, e, false);
      }
      default -> {}
    }
    if ((s.requests[e + FLAGS] & RELAXED) != 0) {
      // A strict request waits for every earlier relaxed one, and delays later ones.
      clocks.order(s, component, agents.place[queue]);
    }
    if (agents.read[queue] >= 0 && (s.requests[e + FLAGS] & UNORDERED) == 0) {
      passed(s, queue, number);
    }
    if (agents.isUnordered(queue, component) && !RequestLayout.returns(kind)) {
      s.settled[component] = clocks.tick(s, component);
    }
    clocks.advance(s, component);
    ring.retire(s, queue);
  }

  /** Places the bytes that the request carries. */
  private void write(MachineState s, int queue, int number, int e) {
    int component = s.requests[e + COMPONENT];
    int peer = agents.queuePeer[queue];
    int at = ring.payload(queue, number);
    int length = s.requests[e + BYTES];
    if (keys.on) {
      int seen = CausalClockIndex.kept(s.requests[e + CAUSES]);
      keys.remote(s, queue, number, component, s.requests[e + REMOTE_AT], length, seen);
    }
    dataWords.place(
        s,
        component,
        peer,
        s.requests[e + REMOTE],
        s.requests[e + REMOTE_AT],
        length,
        s.payload,
        at,
        s.requests[e + CAUSES]);
  }

  /**
   * Increments a counter of the queue's own rank. Its release orders reads of earlier sources only.
   */
  private void count(MachineState s, int queue, int number) {
    int e = ring.entry(queue, number);
    int component = s.requests[e + COMPONENT];
    clocks.join(s, component, s.releases, s.requests[e + ROW]);
    if (kept.fused(agents.queueNumber[queue])) {
      // Where completions imply the place, so does a counter.
      order.after(s, agents.place[queue], component);
      order.afterUnordered(s, queue, component);
    }
    reports.stage(queue, number, 2, s.requests[e + SITE], false);
    s.requests[e + STAGE] = 2;
    releaseClocks.all(s, component);
    change(s, queue, number, e, false);
    clocks.advance(s, component);
    ring.retire(s, queue);
  }

  private void arrange(MachineState s, int queue, int number, int e) {
    order.arrange(s, queue, s.requests[e + ROW], s.requests[e + CAUSES]);
    reports.stage(queue, number, 2, s.requests[e + SITE], false);
    s.requests[e + STAGE] = 2;
    ring.retire(s, queue);
  }

  /**
   * Fixes the clocks of earlier reads of the queue that this placement may overtake. They are
   * ordered after what was placed so far and no more.
   */
  private void passes(MachineState s, int queue, int number) {
    for (int n = s.requests[ring.header(queue) + RETIRED]; n < number; n++) {
      int e = ring.entry(queue, n);
      if (!RequestLayout.places(s.requests[e + KIND])
          && s.requests[e + STAGE] == 1
          && (s.requests[e + FLAGS] & PASSED) == 0) {
        int placed = clocks.keep(s, agents.place[queue]);
        s.requests[e + ROW] = s.releases.joined(s.requests[e + ROW], placed);
        if ((s.requests[e + FLAGS] & UNORDERED) == 0) {
          s.requests[e + ROW] = s.releases.joined(s.requests[e + ROW], order.arranged(s, queue));
        }
        clocks.advance(s, agents.place[queue]);
        s.requests[e + FLAGS] |= PASSED;
      }
    }
  }

  /** Orders later reads after this request, including reads that a later request has overtaken. */
  private void passed(MachineState s, int queue, int number) {
    int end = s.requests[ring.header(queue) + FETCHED];
    for (int n = number + 1; n < end; n++) {
      int e = ring.entry(queue, n);
      if (!RequestLayout.places(s.requests[e + KIND])
          && s.requests[e + STAGE] == 1
          && (s.requests[e + FLAGS] & PASSED) != 0) {
        int component = s.requests[ring.entry(queue, number) + COMPONENT];
        s.requests[e + ROW] = s.releases.joined(s.requests[e + ROW], clocks.keep(s, component));
      }
    }
  }

  private void change(MachineState s, int queue, int number, int e, boolean slot) {
    int word = s.requests[e + WORD];
    int component = s.requests[e + COMPONENT];
    int at = ring.slot(queue, number);
    int change = s.requests[e + CHANGE];
    if (!slot) {
      dataWords.touched(
          s, component, word, change != 0, CausalClockIndex.kept(s.requests[e + CAUSES]));
    }
    boolean alone = slot && change == SET;
    boolean finds = !slot && (s.requests[e + KIND] == Request.LOCK || s.requests[e + LOCAL] >= 0);
    // An atomic's reader acquires the old value's release.
    int released = finds ? words.released(s, word) : 0;
    if (finds) {
      clocks.found(s, queue, words.causes(s, word));
    }
    boolean reads = slot ? !alone : words.reads(change, finds);
    long origin = words.lastOrigin(s, word);
    int values = RequestLayout.VALUES * at;
    writes.from(s.requestValues[values + 2]);
    long old =
        writes.write(
            s,
            component,
            word,
            words.count(s, word) - 1,
            change,
            s.requestValues[values],
            s.requestValues[values + 1],
            slot ? reach(s, e) : MachineModel.SYS,
            s.requests[e + CAUSES],
            alone,
            reads);
    if (s.requests[e + KIND] == Request.LOCK) {
      LockHolders.taken(s, word);
    }
    if (!slot) {
      s.requests[e + ROW] = s.releases.joined(s.requests[e + ROW], released);
      dataWords.changed(s, word);
      s.requestValues[values] = old;
      s.requestValues[values + 2] = origin;
    }
  }

  private int reach(MachineState s, int e) {
    boolean named = s.requests[e + KIND] == Request.SLOT && !kept.scopes;
    return named ? s.requests[e + FLAGS] >> RequestLayout.SCOPE : MachineModel.SYS;
  }

  /** Whether the result of the next placement depends on when it happens. */
  boolean open(MachineState s, int queue) {
    int number = placeable(s, queue, 0);
    if (number < 0) {
      return false;
    }
    int e = ring.entry(queue, number);
    int kind = s.requests[e + KIND];
    int word = s.requests[e + WORD];
    return kind == Request.CHANGE
        || kind == Request.LOCK
        || kind == Request.COUNT
        || (word >= 0 && model.scan.contended(model.words.kindOf[word]))
        || (model.whole && awaited(s, queue));
  }

  /** Whether lanes may await the bytes of a write that may be placed next. */
  private boolean awaited(MachineState s, int queue) {
    for (int way = 0, n; (n = placeable(s, queue, way)) >= 0; way++) {
      int e = ring.entry(queue, n);
      if (writes(s.requests[e + KIND])
          && dataWords.awaited(agents.queuePeer[queue], s.requests[e + REMOTE])) {
        return true;
      }
    }
    return false;
  }

  private static boolean writes(int kind) {
    return kind == Request.WRITE || kind == Request.WRITE_AND_SIGNAL;
  }

  /**
   * Notes the words that the next placement may change: those of all requests that it may take.
   * Requests that are fetched later may join them, which the footprint covers by one more entry.
   */
  void intent(MachineState s, int queue, StepFootprint into) {
    for (int way = 0, n; (n = placeable(s, queue, way)) >= 0; way++) {
      int e = ring.entry(queue, n);
      if (s.requests[e + WORD] >= 0) {
        into.changed(s.requests[e + WORD]);
      }
      if (writes(s.requests[e + KIND])) {
        int buffer = s.requests[e + REMOTE];
        int length = s.requests[e + BYTES];
        int peer = agents.queuePeer[queue];
        dataWords.intent(peer, buffer, s.requests[e + REMOTE_AT], length, into);
      }
    }
    into.read(order.waysOf(queue));
  }
}
