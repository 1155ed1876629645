package dev.oriel.sim.machine.symmetry;

import dev.oriel.sim.code.LaneInstructions;
import dev.oriel.sim.code.LaneOpcode.Request;
import dev.oriel.sim.machine.clocks.NicVisibility;
import dev.oriel.sim.machine.fingerprint.Fingerprint;
import dev.oriel.sim.machine.layout.AgentLayout;
import dev.oriel.sim.machine.layout.CausalClockIndex;
import dev.oriel.sim.machine.layout.ClockIndex;
import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.layout.PermutedPlaces;
import dev.oriel.sim.machine.layout.RequestLayout;
import dev.oriel.sim.machine.layout.ShadowLayout;
import dev.oriel.sim.machine.layout.WordLayout;
import dev.oriel.sim.machine.rows.ClockTable;
import dev.oriel.sim.machine.state.AgentNumbering;
import dev.oriel.sim.machine.state.MachineState;
import dev.oriel.sim.machine.state.PendingAtomicLayout;
import dev.oriel.sim.machine.state.ProxyLayout;
import dev.oriel.sim.machine.words.SyncWords;
import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.IntStream;

/**
 * A renaming of ranks, and the new numbers of lanes, queues, words, places and clock components
 * that follow. It maps a state to the one that an execution reaches in which each agent does what
 * the renamed one did.
 */
public final class RankPermutation {
  private final MachineModel model;
  final int[] rank;
  final int[] lane;
  final int[] queue;
  final int[] component;
  final PermutedPlaces places;
  final PermutedBytes bytes;
  private final NicVisibility sight;

  /** The rank of each new name. */
  private final int[] old;

  /** The lane of each new name. */
  private final int[] oldLane;

  /** For each lane: the registers that distinguish states. */
  private final BitSet[] live;

  /** Accesses of an interval under their new names. */
  private int[] accesses = {};

  RankPermutation(MachineModel model, int[] rank, BitSet[] live, boolean sourcesByRank) {
    this.model = model;
    this.live = live;
    this.rank = rank;
    AgentLayout agents = model.agents;
    lane = new int[model.lanes];
    oldLane = new int[model.lanes];
    queue = new int[agents.queues];
    component = new int[agents.components];
    places = new PermutedPlaces(model, rank);
    bytes = new PermutedBytes(model, rank, places, sourcesByRank);
    sight = new NicVisibility(model, false);
    old = new int[rank.length];
    for (int r = 0; r < rank.length; r++) {
      old[rank[r]] = r;
    }
    for (int l = 0; l < model.lanes; l++) {
      int from = model.rank(l);
      lane[l] = model.firstLane[rank[from]] + l - model.firstLane[from];
    }
  }

  /** The renaming that changes no name. */
  static RankPermutation none(MachineModel model, BitSet[] live) {
    RankPermutation none =
        new RankPermutation(model, IntStream.range(0, model.world).toArray(), live, false);
    none.complete();
    return none;
  }

  /** The registers of the lane that distinguish states. */
  BitSet live(int of) {
    return live[of];
  }

  /** Renames what depends on lanes, once these are known to be alike; false if queues differ. */
  boolean complete() {
    AgentLayout agents = model.agents;
    for (int l = 0; l < model.lanes; l++) {
      oldLane[lane[l]] = l;
      component[agents.leader[l]] = agents.leader[lane[l]];
      component[agents.worker[l]] = agents.worker[lane[l]];
      if (agents.unit[l] >= 0) {
        component[agents.unit[l]] = agents.unit[lane[l]];
      }
      for (int own = agents.leader[l]; agents.twins.length > 0; own += 2) {
        component[own + 1] = component[own] + 1;
        if (own >= Math.max(agents.worker[l], agents.unit[l])) {
          break;
        }
      }
    }
    for (int r = 0; r < model.world; r++) {
      component[agents.caller[r]] = agents.caller[rank[r]];
    }
    for (int q = 0; q < agents.queues; q++) {
      int to =
          agents.queue(lane[agents.queueLane[q]], rank[agents.queuePeer[q]], agents.queueNumber[q]);
      if (to < 0 || agents.queueInterface[q] != agents.queueInterface[to] || end(q) != end(to)) {
        return false;
      }
      queue[q] = to;
      for (int i = 0; i < end(q); i++) {
        component[agents.fetch[q] + i] = agents.fetch[to] + i;
      }
    }
    places.complete();
    agents.cells.rename(rank, places, component);
    return true;
  }

  /** The number of the queue's components. */
  private int end(int q) {
    AgentLayout agents = model.agents;
    return (q + 1 < agents.queues ? agents.fetch[q + 1] : agents.components) - agents.fetch[q];
  }

  /**
   * Adds the renamed {@code from} to a fingerprint; {@code to} is the room for it. Splits of
   * intervals with one history are left out, since they cannot affect the future.
   */
  void digest(MachineState from, MachineState to, Fingerprint into) {
    apply(from, to);
    to.digestFront(into);
    for (int r = 0; r < rank.length; r++) {
      for (int b = 0; b < model.buffers; b++) {
        if (model.base[b] == b) {
          shadow(from, r, b, into);
        }
      }
    }
    to.digestBack(into);
  }

  /**
   * Compares two renamings by the positions of lanes in the renamed states. Below 0 if this one has
   * the smaller position at the first lane that differs; 0 if none differs. The result depends on
   * the renamed states only.
   */
  int compare(MachineState state, RankPermutation other) {
    for (int l = 0; l < lane.length; l++) {
      int difference = Integer.compare(state.at[oldLane[l]], state.at[other.oldLane[l]]);
      if (difference != 0) {
        return difference;
      }
    }
    return 0;
  }

  private void apply(MachineState from, MachineState to) {
    to.copy(from);
    lanes(from, to);
    ranks(from, to);
    rows(from, to);
    words(from, to);
    queues(from, to);
    ProxyLayout.relabel(model, from, to, queue, rank);
    PendingAtomicLayout.relabel(model, from, to, lane, places);
  }

  private void lanes(MachineState from, MachineState to) {
    for (int l = 0; l < lane.length; l++) {
      int into = lane[l];
      int count = model.lane(l).registers();
      for (int i = 0; i < count; i++) {
        long value =
            live[l].get(i) || i == LaneInstructions.EPOCH
                ? from.registers[model.firstRegister[l] + i]
                : 0;
        to.registers[model.firstRegister[into] + i] = value;
        if (model.origins.on) {
          // No register holds bytes of an input, see Inflow, so an origin means the same for every
          // rank.
          int origins = model.registers + i;
          to.registers[origins + model.firstRegister[into]] =
              live[l].get(i) ? from.registers[origins + model.firstRegister[l]] : 0;
        }
      }
      to.at[into] = from.at[l];
      to.ended[into] = from.ended[l];
      to.failure[into] = from.failure[l];
    }
  }

  private void ranks(MachineState from, MachineState to) {
    for (int r = 0; r < rank.length; r++) {
      int into = rank[r];
      to.launched[into] = from.launched[r];
      to.callerDue[into] = from.callerDue[r];
      to.aborted[into] = from.aborted[r];
      to.steps[into] = from.steps[r];
      to.lastStep[into] = from.lastStep[r];
      for (int b = 0; b < model.buffers; b++) {
        int at = model.firstByte[r * model.buffers + b];
        int target = model.firstByte[into * model.buffers + b];
        for (int i = 0; model.base[b] == b && i < model.bytes[r * model.buffers + b]; i++) {
          int place = target + places.at(r, b, i);
          to.bytes[place] = bytes.renamed(from.bytes[at + i]);
          if (from.before.length > 0) {
            to.before[place] = bytes.renamed(from.before[at + i]);
          }
        }
      }
    }
  }

  private void rows(MachineState from, MachineState to) {
    for (int c = 0; c < component.length; c++) {
      clock(from, c, to, component[c]);
      to.settled[component[c]] = from.settled[c];
    }
    for (int l = 0; l < lane.length; l++) {
      for (int v = 0; v < model.levels; v++) {
        clock(from, ClockIndex.fenced(model, l, v), to, ClockIndex.fenced(model, lane[l], v));
        clock(from, ClockIndex.pending(model, l, v), to, ClockIndex.pending(model, lane[l], v));
        if (model.scan.strict) {
          clock(from, ClockIndex.strict(model, l, v), to, ClockIndex.strict(model, lane[l], v));
        }
      }
      for (int i = 0; i < 2; i++) {
        seen(from.seen, 2 * l + i, to.seen, 2 * lane[l] + i);
      }
      seen(
          from.seen,
          CausalClockIndex.fresh(model, l),
          to.seen,
          CausalClockIndex.fresh(model, lane[l]));
    }
    for (int r = 0; r < rank.length; r++) {
      seen(
          from.seen,
          CausalClockIndex.caller(model, r),
          to.seen,
          CausalClockIndex.caller(model, rank[r]));
    }
    for (int q = 0; q < queue.length; q++) {
      clock(from, ClockIndex.arranged(model, q), to, ClockIndex.arranged(model, queue[q]));
      if (model.scan.arranges) {
        int into = CausalClockIndex.arranged(model, queue[q]);
        seen(from.seen, CausalClockIndex.arranged(model, q), to.seen, into);
      }
      if (model.scan.finds) {
        int into = CausalClockIndex.found(model, queue[q]);
        seen(from.seen, CausalClockIndex.found(model, q), to.seen, into);
      }
      if (model.scan.anyUnordered) {
        clock(from, ClockIndex.inOrder(model, q), to, ClockIndex.inOrder(model, queue[q]));
      }
    }
    for (int row = 1; row < from.releases.used; row++) {
      clock(from.releases.rows, row, to.releases.rows, row);
      to.releases.hashes[row] = 0;
    }
    for (int row = 1; row < from.causes.used; row++) {
      seen(from.causes.rows, row, to.causes.rows, row);
      to.causes.hashes[row] = 0;
    }
  }

  private void clock(MachineState from, int row, MachineState to, int into) {
    clock(from.clocks, row, to.clocks, into);
  }

  private void clock(ClockTable from, int row, ClockTable to, int into) {
    for (int c = 0; c < component.length; c++) {
      to.set(into, component[c], from.at(row, c));
    }
  }

  private void seen(ClockTable from, int row, ClockTable to, int into) {
    for (int l = 0; l < lane.length; l++) {
      to.set(into, 2 * lane[l], from.at(row, 2 * l));
      to.set(into, 2 * lane[l] + 1, from.at(row, 2 * l + 1));
    }
    for (int c = 0; c < component.length; c++) {
      if (model.agents.source[c] >= 0) {
        int column = CausalClockIndex.fetchColumn(model, component[c]);
        to.set(into, column, from.at(row, CausalClockIndex.fetchColumn(model, c)));
      }
    }
  }

  /**
   * Replaces the view of a slot by the oldest message that its reader may still read. The message
   * read last and the newest one in the reader's clock may come in either order.
   */
  private void words(MachineState from, MachineState to) {
    WordLayout table = model.words;
    for (int w = 0; w < table.count; w++) {
      int into = places.word(w);
      int kind = table.kindOf[w];
      to.words[table.fields[into]] = from.words[table.fields[w]];
      to.words[table.fields[into] + 1] = from.words[table.fields[w] + 1];
      for (int r = 0; r < table.readers[kind]; r++) {
        int by = table.laneOf(w, r);
        if (by >= 0) {
          reader(from, to, w, into, by);
          found(from, to, w, into, by);
        }
      }
      int messages = table.message * table.room[kind];
      int first = table.firstMessage[into];
      System.arraycopy(from.words, table.firstMessage[w], to.words, first, messages);
      for (int m = 0; m < from.words[table.fields[w] + 1]; m++) {
        int agent = first + m * table.message;
        to.words[agent] = to.words[agent] < 0 ? -1 : component[to.words[agent]];
        groups(from, table.firstMessage[w] + m * table.message, to, agent);
      }
      int values = (model.origins.on ? 2 : 1) * table.room[kind];
      System.arraycopy(
          from.wordValues, table.firstValue[w], to.wordValues, table.firstValue[into], values);
    }
    Arrays.fill(to.locks, 0);
    for (int w = 0; to.locks.length > 0 && w < table.count; w++) {
      if ((from.locks[w >> 6] & 1L << w) != 0) {
        to.locks[places.word(w) >> 6] |= 1L << places.word(w);
      }
    }
  }

  /** Moves the release clocks of clusters and ranks to their new names. */
  private void groups(MachineState from, int message, MachineState to, int into) {
    WordLayout table = model.words;
    if (table.releaseCount == 1) {
      return;
    }
    for (int l = 0; l < lane.length; l++) {
      int cluster = model.clusterOf(model.agents.leader[l]);
      if (cluster >= 0) {
        int renamed = model.clusterOf(model.agents.leader[lane[l]]);
        release(from, message, table.inCluster(cluster), to, into, table.inCluster(renamed));
      }
    }
    for (int r = 0; r < model.world; r++) {
      release(from, message, table.inGroup(r), to, into, table.inGroup(rank[r]));
      release(from, message, table.outOfGroup(r), to, into, table.outOfGroup(rank[r]));
    }
  }

  private static void release(
      MachineState from, int message, int index, MachineState to, int into, int renamed) {
    int row = from.words[message + WordLayout.RELEASES + index];
    to.words[into + WordLayout.RELEASES + renamed] = row;
  }

  private void found(MachineState from, MachineState to, int word, int into, int by) {
    WordLayout table = model.words;
    int one = table.reader(word, by);
    int other = table.reader(into, lane[by]);
    int messages = table.finders[table.kindOf[word]] == 0 ? 0 : from.words[table.fields[word] + 1];
    for (int m = 0; m < messages; m++) {
      to.words[table.found(into, m, other)] = from.words[table.found(word, m, one)];
      if (model.profile.hides()) {
        to.words[table.shown(into, m, other)] = from.words[table.shown(word, m, one)];
      }
    }
  }

  private void reader(MachineState from, MachineState to, int word, int into, int by) {
    WordLayout table = model.words;
    int kind = table.kindOf[word];
    int one = table.reader(word, by);
    int other = table.reader(into, lane[by]);
    int fields = table.readerFields(kind);
    int at = table.reader(kind, table.fields[word], one);
    int target = table.reader(kind, table.fields[into], other);
    System.arraycopy(from.words, at, to.words, target, fields);
    if (kind < table.signals) {
      to.words[target] =
          from.words[table.fields[word]] + SyncWords.oldest(model, sight, from, word, by);
    }
    int awaits = table.awaits[kind];
    System.arraycopy(
        from.wordValues,
        table.values[word] + awaits * one,
        to.wordValues,
        table.values[into] + awaits * other,
        awaits);
  }

  private void queues(MachineState from, MachineState to) {
    int room = RequestLayout.room(model);
    int fields = RequestLayout.HEADER + room * RequestLayout.FIELDS;
    int payload = room * RequestLayout.bytes(model);
    for (int q = 0; q < queue.length; q++) {
      int into = queue[q];
      to.held[into] = from.held[q];
      to.stalled[into] = from.stalled[q];
      System.arraycopy(from.requests, q * fields, to.requests, into * fields, fields);
      for (int i = 0; i < room; i++) {
        int e = into * fields + RequestLayout.HEADER + i * RequestLayout.FIELDS;
        int by = to.requests[e + RequestLayout.COMPONENT];
        to.requests[e + RequestLayout.COMPONENT] = component[by];
        if (inUse(from, q * fields, i, room)) {
          // A request that is not in use refers to word 0, which may not exist.
          int changes = to.requests[e + RequestLayout.WORD];
          to.requests[e + RequestLayout.WORD] = changes < 0 ? changes : places.word(changes);
          ends(to, e, q);
        }
      }
      int values = RequestLayout.VALUES * room;
      System.arraycopy(from.requestValues, q * values, to.requestValues, into * values, values);
      for (int i = 0; i < payload; i++) {
        to.payload[into * payload + i] = bytes.renamed(from.payload[q * payload + i]);
      }
    }
  }

  private static boolean inUse(MachineState s, int queue, int slot, int room) {
    int retired = s.requests[queue + RequestLayout.RETIRED];
    return Math.floorMod(slot - retired, room) < s.requests[queue + RequestLayout.POSTED] - retired;
  }

  /** Renames the bytes that a request moves; those of a request without bytes do not matter. */
  private void ends(MachineState to, int e, int q) {
    int local = to.requests[e + RequestLayout.LOCAL];
    boolean moves = to.requests[e + RequestLayout.BYTES] > 0;
    boolean both =
        switch (to.requests[e + RequestLayout.KIND]) {
          case Request.WRITE, Request.READ, Request.WRITE_AND_SIGNAL -> true;
          default -> false;
        };
    int at = to.requests[e + RequestLayout.LOCAL_AT];
    boolean fills = !both && local >= 0;
    to.requests[e + RequestLayout.LOCAL_AT] =
        fills || (both && moves) ? places.at(model.rank(model.agents.queueLane[q]), local, at) : 0;
    int remote = to.requests[e + RequestLayout.REMOTE];
    int far = to.requests[e + RequestLayout.REMOTE_AT];
    to.requests[e + RequestLayout.REMOTE] = both ? remote : 0;
    to.requests[e + RequestLayout.REMOTE_AT] =
        both && moves ? places.at(model.agents.queuePeer[q], remote, far) : 0;
  }

  /**
   * Adds the histories of a memory, in the order of the new places of its bytes. Accesses are
   * sorted by the new numbers of their components.
   */
  private void shadow(MachineState from, int into, int buffer, Fingerprint print) {
    int memory = old[into] * model.buffers + buffer;
    int fields = ShadowLayout.FIELDS + 2 * ShadowLayout.accesses(model);
    int base = model.firstShadow[memory];
    int size = model.bytes[memory];
    int added = -1;
    int interval = 0;
    for (int i = 0; i < size; i++) {
      int source = places.from(into, buffer, i);
      interval = interval(from, base, fields, source, interval);
      int at = base + 1 + interval * fields;
      if (added < 0 || !alike(from.shadow, added, at)) {
        print.add(i);
        history(from.shadow, at, print);
        added = at;
      }
    }
    print.add(size);
  }

  /** The interval that holds the byte; most often the last one, or the next. */
  private static int interval(MachineState s, int base, int fields, int octet, int last) {
    int count = s.shadow[base];
    int i = s.shadow[base + 1 + last * fields] <= octet ? last : 0;
    while (i + 1 < count && s.shadow[base + 1 + (i + 1) * fields] <= octet) {
      i++;
    }
    return i;
  }

  private static boolean alike(int[] shadow, int one, int other) {
    int length = ShadowLayout.FIELDS - 1 + 2 * shadow[one + 3];
    return one == other
        || (shadow[one + 3] == shadow[other + 3]
            && Arrays.equals(
                shadow, one + 1, one + 1 + length, shadow, other + 1, other + 1 + length));
  }

  private void history(int[] shadow, int at, Fingerprint print) {
    int count = 2 * shadow[at + 3];
    accesses = accesses.length < count ? new int[2 * count] : accesses;
    for (int p = 0; p < count; p += 2) {
      int by = component[shadow[at + ShadowLayout.FIELDS + p]];
      int tick = shadow[at + ShadowLayout.FIELDS + p + 1];
      int hole = p;
      while (hole > 0 && after(hole - 2, by, tick)) {
        accesses[hole] = accesses[hole - 2];
        accesses[hole + 1] = accesses[hole - 1];
        hole -= 2;
      }
      accesses[hole] = by;
      accesses[hole + 1] = tick;
    }
    int writer = shadow[at + 1];
    print.add(writer < 0 ? writer : component[writer]);
    print.add(shadow[at + 2]);
    print.add(count);
    for (int p = 0; p < count; p++) {
      print.add(accesses[p]);
    }
  }

  private boolean after(int at, int by, int tick) {
    return accesses[at] > by
        || (accesses[at] == by
            && (accesses[at + 1] & ShadowLayout.KIND) > (tick & ShadowLayout.KIND));
  }

  /** The agent's number after a renaming of ranks. */
  public int agent(AgentNumbering roster, int agent) {
    if (roster.isLane(agent)) {
      return lane[agent];
    }
    if (roster.isCaller(agent)) {
      return roster.firstCaller + rank[agent - roster.firstCaller];
    }
    if (roster.isStage(agent)) {
      return roster.firstStage
          + AgentNumbering.STAGES * queue[roster.queueOf(agent)]
          + roster.stageOf(agent);
    }
    if (roster.isProxy(agent)) {
      return roster.firstProxy + 2 * queue[roster.queueOf(agent)] + (roster.hands(agent) ? 0 : 1);
    }
    int first = roster.isTimeout(agent) ? roster.firstTimeout : roster.firstUpdate;
    return first + lane[agent - first];
  }
}
