package dev.oriel.sim.time;

import dev.oriel.domain.program.Op.Signal.Change;
import dev.oriel.sim.code.InstructionBounds;
import dev.oriel.sim.code.LaneOpcode;
import java.util.Arrays;

/**
 * The requests of lanes to network interfaces.
 *
 * <p>An interface starts a request {@code doorbell} after it was posted, and {@code gap} after the
 * previous request. Requests of a queue arrive in order; a write is complete one latency after its
 * arrival. A read's bytes travel back once its request has arrived. A fenced request starts when
 * all earlier requests of its queue are complete.
 */
@SuppressWarnings("EnumOrdinal") // flat code is made of ordinals
final class RequestTiming {
  private final TimingConstants scene;
  private final LaneTable agents;
  private final VirtualTimeline timeline;
  private final PolledWords cells;
  private final LinkCosts costs;
  private final LinkPorts ports;
  private final boolean packets;
  private final TimingObserver watch;
  private final long[] free;

  /** Queues are numbered in the order of their first use. */
  private final LongIndex queues = new LongIndex();

  private long[] arrived = new long[256];
  private long[] complete = new long[256];

  /**
   * {@code packets} is true if the program uses packets: they travel as bytes, but lanes await
   * them.
   */
  RequestTiming(
      TimingConstants scene,
      VirtualTimeline timeline,
      LinkPorts ports,
      boolean packets,
      TimingObserver watch) {
    this.scene = scene;
    this.agents = timeline.agents;
    this.timeline = timeline;
    this.cells = timeline.cells;
    this.costs = scene.costs();
    this.ports = ports;
    this.packets = packets;
    this.watch = watch;
    free = new long[Math.multiplyExact(scene.world(), costs.rails)];
  }

  /** The next instruction, or -1 if the lane waits. */
  int post(int[] ops, int at, int lane) {
    // A nonzero turn means that the posting's cost was added, while the lane waits for its own
    // time.
    if (agents.turn[lane] == 0) {
      agents.clock[lane] += costs.post;
      agents.turn[lane] = 1;
    }
    if (timeline.early(lane)) {
      return -1;
    }
    agents.turn[lane] = 0;
    final int rank = agents.rank[lane];
    final int peer = scene.rank(ops[at + 2], lane);
    final long queueNumber = scene.value(ops[at + 3], lane);
    final int queue = queue(lane, peer, queueNumber);
    final int rail = rail(lane, queueNumber);
    long begin = Math.max(agents.clock[lane] + costs.doorbell, free[rank * costs.rails + rail]);
    if (ops[at + 4] == 1) {
      begin = Math.max(begin, complete[queue]);
    }
    free[rank * costs.rails + rail] = begin + costs.gap;
    long latency = costs.rdma.latency;
    int from = at + 6;
    switch (ops[at + 1]) {
      case LaneOpcode.Request.WRITE -> write(ops, from, lane, peer, queue, rail, begin);
      case LaneOpcode.Request.READ -> {
        long bytes = scene.value(ops[from + 4], lane);
        long end = ports.book(costs.rdma, rail, peer, rank, bytes, begin + latency);
        complete[queue] = Math.max(complete[queue], end + latency);
      }
      case LaneOpcode.Request.SLOT -> slot(ops, from, lane, peer, queue, rail, begin);
      case LaneOpcode.Request.READ_BACK -> {
        long placed = Math.max(arrived[queue], begin + latency);
        complete[queue] = Math.max(complete[queue], placed + latency);
      }
      case LaneOpcode.Request.WRITE_AND_SIGNAL -> {
        write(ops, from, lane, peer, queue, rail, begin);
        slot(ops, from + 5, lane, peer, queue, rail, begin);
      }
      default -> throw new AssertionError("refused before: " + ops[at + 1]);
    }
    watch.posted(lane, peer, queueNumber, ops[at + 1], begin, arrived[queue], complete[queue]);
    return InstructionBounds.next(ops, at);
  }

  private void write(int[] ops, int from, int lane, int peer, int queue, int rail, long begin) {
    int rank = agents.rank[lane];
    long bytes = scene.value(ops[from + 4], lane);
    arrive(queue, ports.book(costs.rdma, rail, rank, peer, bytes, begin));
    if (packets) {
      int image = cells.knownPackets(rank, ops[from], scene.value(ops[from + 1], lane));
      if (image >= 0) {
        int there = cells.packets(peer, ops[from + 2], scene.value(ops[from + 3], lane));
        timeline.arrive(arrived[queue], there, cells.word(image), false);
      }
    }
  }

  private void slot(int[] ops, int from, int lane, int peer, int queue, int rail, long begin) {
    int rank = agents.rank[lane];
    arrive(queue, ports.book(costs.rdma, rail, rank, peer, costs.rdma.signal, begin));
    int cell = cells.slot(peer, rank, ops[from], scene.value(ops[from + 1], lane));
    timeline.arrive(
        arrived[queue],
        cell,
        scene.value(ops[from + 3], lane),
        ops[from + 2] == Change.ADD.ordinal());
  }

  private void arrive(int queue, long end) {
    arrived[queue] = Math.max(arrived[queue], end + costs.rdma.latency);
    complete[queue] = Math.max(complete[queue], arrived[queue] + costs.rdma.latency);
  }

  /** Waits until every request of the queue is complete; a queue never used has none. */
  void await(int[] ops, int at, int lane) {
    int queue = queue(lane, scene.rank(ops[at + 1], lane), scene.value(ops[at + 2], lane));
    if (complete[queue] > 0) {
      agents.clock[lane] = Math.max(agents.clock[lane], complete[queue]) + costs.poll;
      complete[queue] = 0;
    }
  }

  private int rail(int lane, long queue) {
    return costs.rails == 1
        ? 0
        : (int) Math.floorMod(lane - agents.first[agents.rank[lane]] + queue, (long) costs.rails);
  }

  private int queue(int lane, int peer, long number) {
    int queue = queues.of((number << 20 | peer) << 28 | lane);
    if (queue >= arrived.length) {
      arrived = Arrays.copyOf(arrived, 2 * queue);
      complete = Arrays.copyOf(complete, 2 * queue);
    }
    return queue;
  }
}
