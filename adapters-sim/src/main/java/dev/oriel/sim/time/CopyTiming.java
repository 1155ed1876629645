package dev.oriel.sim.time;

import dev.oriel.domain.packet.PacketFormat;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.program.Op.Signal.Change;
import dev.oriel.domain.program.Order;
import dev.oriel.domain.topology.PeerKind;
import dev.oriel.ports.MachineException;
import dev.oriel.sim.code.CopyLayout;
import dev.oriel.sim.code.SharedCode;

/**
 * Loads and stores of a lane: copies, packets, and signals on memory-mapped links.
 *
 * <p>A copy occupies its lane for {@code load}, then for each byte for its threads' time. Stores
 * queue up no further than the ports, so the lane also waits until the ports have taken the bytes.
 * Stores arrive after the slower of the two.
 *
 * <p>If a copy polls packets, {@code poll} replaces {@code load}, because a flag comes with its
 * data. All packets until the next barrier are polled at once, so packets that had already arrived
 * cost no further poll. A copy of lines takes {@code line} more.
 *
 * <p>A copy to several ranks requests all its ports at once, starting from the next rank. Its
 * threads go from peer to peer with every few bytes, so not all ranks request the same port first.
 */
@SuppressWarnings("EnumOrdinal") // flat code is made of ordinals
final class CopyTiming {
  private static final PacketFormat[] FORMATS = PacketFormat.values();

  private final TimingConstants scene;
  private final LaneTable agents;
  private final VirtualTimeline timeline;
  private final PolledWords cells;
  private final LinkCosts costs;
  private final LinkPorts ports;
  private final double[] perByte;
  private final double[] perPacketByte;
  private final boolean[] onEngine;
  private final long[] engineFree;

  /** Of the current copy: when the lane has issued everything, and when its ports are done. */
  private long issued;

  private long through;

  CopyTiming(TimingConstants scene, VirtualTimeline timeline, LinkPorts ports) {
    this.scene = scene;
    this.agents = timeline.agents;
    this.timeline = timeline;
    this.cells = timeline.cells;
    this.costs = scene.costs();
    this.ports = ports;
    perByte = new double[scene.codes()];
    perPacketByte = new double[scene.codes()];
    onEngine = new boolean[scene.codes()];
    for (int code = 0; code < perByte.length; code++) {
      perByte[code] = costs.perByte(scene.lane(code).engine());
      perPacketByte[code] = costs.perPacketByte(scene.lane(code).engine());
      onEngine[code] = scene.lane(code).engine() instanceof LaneFamily.Engine.Copy;
    }
    engineFree = new long[scene.world() * costs.engines];
  }

  /** Waits until the lane's stores have arrived and are acknowledged. */
  void fence(int lane) {
    agents.clock[lane] += costs.fence;
    if (agents.pending[lane] > 0) {
      agents.clock[lane] =
          Math.max(agents.clock[lane], agents.pending[lane] + costs.nvlink.latency);
      agents.pending[lane] = 0;
    }
  }

  /** The next instruction, or -1 if the lane waits. */
  int copy(int[] ops, int at, int lane) {
    if (timeline.early(lane)) {
      return -1;
    }
    final long bytes = scene.value(ops[at + 1], lane);
    long read = 0;
    boolean polled = false;
    for (int i = 0; i < CopyLayout.sources(ops, at); i++) {
      int place = CopyLayout.source(ops, at, i);
      read += image(ops, place, bytes);
      if (ops[place + CopyLayout.FORMAT] >= 0) {
        int cell = packets(ops, place, own(ops, place, lane), lane);
        if (cells.word(cell) != scene.value(ops[place + CopyLayout.FLAG], lane)) {
          timeline.await(lane, cell);
          agents.waited[lane] = true;
          return -1;
        }
        polled = true;
      }
    }
    if (polled) {
      agents.clock[lane] += !agents.polls[lane] || agents.waited[lane] ? costs.poll : 0;
      agents.polls[lane] = true;
      agents.waited[lane] = false;
    }
    long written = 0;
    for (int i = 0; i < CopyLayout.destinations(ops, at); i++) {
      int place = CopyLayout.destination(at, i);
      written += image(ops, place, bytes) * count(ops[place + CopyLayout.RANKS]);
    }
    if (read + written > 0) {
      move(ops, at, lane, bytes, polled, Math.max(read, written));
    }
    return CopyLayout.end(ops, at);
  }

  private void move(int[] ops, int at, int lane, long bytes, boolean polled, long touched) {
    int code = agents.code[lane];
    int rank = agents.rank[lane];
    int engine = onEngine[code] ? engine(rank) : -1;
    long time = engine < 0 ? agents.clock[lane] : Math.max(agents.clock[lane], engineFree[engine]);
    issued =
        time
            + (engine >= 0 ? costs.engineStart : polled ? 0 : costs.load)
            + (lines(ops, at) ? costs.line : 0)
            + Math.round((packets(ops, at) ? perPacketByte : perByte)[code] * touched);
    through = time;
    for (int i = 0; i < CopyLayout.sources(ops, at); i++) {
      int from = scene.rank(~ops[CopyLayout.source(ops, at, i) + CopyLayout.RANKS], lane);
      if (from != rank) {
        mapped(rank, from, lane);
        long wire = costs.nvlink.latency;
        issued =
            Math.max(issued, ports.book(costs.nvlink, 0, from, rank, bytes, time + wire) + wire);
      }
    }
    for (int d = 0; d < CopyLayout.destinations(ops, at); d++) {
      int place = CopyLayout.destination(at, d);
      int ranks = ops[place + CopyLayout.RANKS];
      if (ranks < 0) {
        store(ops, place, lane, scene.rank(~ranks, lane), bytes, time);
        continue;
      }
      for (int i = 1; i <= scene.world(); i++) {
        int to = (rank + i) % scene.world();
        if (!scene.leavesOut(ranks, rank, to)) {
          store(ops, place, lane, to, bytes, time);
        }
      }
    }
    agents.clock[lane] = Math.max(issued, through);
    if (engine >= 0) {
      agents.clock[lane] = Math.max(agents.clock[lane], agents.pending[lane]);
      engineFree[engine] = agents.clock[lane];
    }
  }

  /** Whether a source or a destination has packets. */
  private static boolean packets(int[] ops, int at) {
    boolean any = false;
    for (int i = 0; i < CopyLayout.sources(ops, at); i++) {
      any |= ops[CopyLayout.source(ops, at, i) + CopyLayout.FORMAT] >= 0;
    }
    for (int i = 0; i < CopyLayout.destinations(ops, at); i++) {
      any |= ops[CopyLayout.destination(at, i) + CopyLayout.FORMAT] >= 0;
    }
    return any;
  }

  private void store(int[] ops, int place, int lane, int to, long bytes, long time) {
    int rank = agents.rank[lane];
    long arrival = issued;
    if (to != rank) {
      mapped(rank, to, lane);
      long end = ports.book(costs.nvlink, 0, rank, to, image(ops, place, bytes), time);
      through = Math.max(through, end);
      arrival = Math.max(issued, end) + costs.nvlink.latency;
      agents.pending[lane] = Math.max(agents.pending[lane], arrival);
    }
    if (ops[place + CopyLayout.FORMAT] >= 0) {
      int cell = packets(ops, place, to, lane);
      long flag = scene.value(ops[place + CopyLayout.FLAG], lane);
      if (to == rank) {
        // An interface may be asked to forward them before any other event.
        cells.word(cell, flag);
      }
      timeline.arrive(arrival, cell, flag, false);
    }
  }

  /** The next instruction, or -1 if the lane waits. */
  int signal(int[] ops, int at, int lane) {
    // A nonzero turn means that the fence's cost was added, while the lane waits for its own time.
    if (agents.turn[lane] == 0 && ops[at + 6] == Order.RELEASE.ordinal()) {
      fence(lane);
    }
    agents.turn[lane] = 1;
    if (timeline.early(lane)) {
      return -1;
    }
    agents.turn[lane] = 0;
    long slot = scene.value(ops[at + 2], lane);
    long value = scene.value(ops[at + 5], lane);
    boolean adds = ops[at + 4] == Change.ADD.ordinal();
    int ranks = ops[at + 3];
    if (ranks < 0) {
      write(lane, scene.rank(~ranks, lane), ops[at + 1], slot, value, adds);
    } else {
      for (int to = 0; to < scene.world(); to++) {
        if (!scene.leavesOut(ranks, agents.rank[lane], to)) {
          write(lane, to, ops[at + 1], slot, value, adds);
        }
      }
    }
    return at + 8;
  }

  private void write(int lane, int to, int signal, long slot, long value, boolean adds) {
    int rank = agents.rank[lane];
    agents.clock[lane] += costs.issue;
    long arrival = agents.clock[lane];
    if (to != rank) {
      mapped(rank, to, lane);
      arrival =
          ports.book(costs.nvlink, 0, rank, to, costs.nvlink.signal, arrival)
              + costs.nvlink.latency;
      agents.pending[lane] = Math.max(agents.pending[lane], arrival);
    }
    timeline.arrive(arrival, cells.slot(to, rank, signal, slot), value, adds);
  }

  /** The cell of the packets at that place in the owner's memory. */
  private int packets(int[] ops, int place, int owner, int lane) {
    long offset = scene.value(ops[place + CopyLayout.OFFSET], lane);
    return cells.packets(owner, ops[place + CopyLayout.BUFFER], offset);
  }

  private static boolean lines(int[] ops, int at) {
    boolean any = false;
    for (int i = 0; i < CopyLayout.destinations(ops, at); i++) {
      any |= lined(ops[CopyLayout.destination(at, i) + CopyLayout.FORMAT]);
    }
    for (int i = 0; i < CopyLayout.sources(ops, at); i++) {
      any |= lined(ops[CopyLayout.source(ops, at, i) + CopyLayout.FORMAT]);
    }
    return any;
  }

  private static boolean lined(int format) {
    return format == PacketFormat.LINE128.ordinal();
  }

  private static long image(int[] ops, int place, long bytes) {
    int format = ops[place + CopyLayout.FORMAT];
    return format < 0 ? bytes : FORMATS[format].image(bytes);
  }

  private int count(int ranks) {
    return ranks < 0 ? 1 : ranks == SharedCode.ALL ? scene.world() : scene.world() - 1;
  }

  private int own(int[] ops, int place, int lane) {
    int owner = scene.rank(~ops[place + CopyLayout.RANKS], lane);
    if (owner != agents.rank[lane]) {
      throw new MachineException(
          "packets polled at a peer are not timed: %s, peer=%d; poll the rank's own memory"
              .formatted(scene.label(lane), owner));
    }
    return owner;
  }

  private void mapped(int rank, int peer, int lane) {
    if (scene.kind(rank, peer) != PeerKind.NVLINK) {
      throw new MachineException(
          "loads and stores do not reach the peer: %s, peer=%d; lower the form for its links"
              .formatted(scene.label(lane), peer));
    }
  }

  /** The engine of the rank that is free first. */
  private int engine(int rank) {
    int best = rank * costs.engines;
    for (int e = best + 1; e < (rank + 1) * costs.engines; e++) {
      if (engineFree[e] < engineFree[best]) {
        best = e;
      }
    }
    return best;
  }
}
