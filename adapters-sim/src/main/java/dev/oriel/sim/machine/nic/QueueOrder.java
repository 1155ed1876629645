package dev.oriel.sim.machine.nic;

import static dev.oriel.sim.machine.layout.RequestLayout.UNORDERED_COUNT;

import dev.oriel.sim.machine.clocks.ComponentClocks;
import dev.oriel.sim.machine.layout.AgentLayout;
import dev.oriel.sim.machine.layout.CausalClockIndex;
import dev.oriel.sim.machine.layout.ClockIndex;
import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.state.MachineState;
import dev.oriel.sim.machine.state.RequestRing;

/** The order of a queue's stages, and of others after them. */
public final class QueueOrder {
  private final MachineModel model;
  private final AgentLayout agents;
  private final ComponentClocks clocks;
  private final RequestRing ring;

  public QueueOrder(MachineModel model, ComponentClocks clocks, RequestRing ring) {
    this.model = model;
    this.agents = model.agents;
    this.clocks = clocks;
    this.ring = ring;
  }

  /**
   * The entry of a footprint for the requests that the queue may place next. It follows the entries
   * of words, strict fences and the ranks' proxies.
   */
  int waysOf(int queue) {
    return model.words.count + 1 + model.world + queue;
  }

  /** How many unordered requests of the queue have components of their own so far. */
  int unorderedCount(MachineState s, int queue) {
    return s.requests[ring.header(queue) + UNORDERED_COUNT];
  }

  /** In one total order the lane is ordered after all that its queue did. */
  void over(MachineState s, int queue) {
    int end = queue + 1 < agents.queues ? agents.fetch[queue + 1] : agents.components;
    for (int c = agents.fetch[queue]; c < end; c++) {
      clocks.order(s, c, agents.leader[agents.queueLane[queue]]);
      clocks.advance(s, c);
    }
  }

  /** Orders the lane after what its queue has placed, too. */
  void placedToo(MachineState s, int queue, int lane) {
    int count = unorderedCount(s, queue);
    for (int i = -1; i < count; i++) {
      int place = i < 0 ? agents.place[queue] : agents.unordered(queue, i);
      clocks.orderLaneAfter(s, lane, place);
      clocks.advance(s, place);
    }
  }

  /** Orders the component after all queues of the lane to that peer, as if they were one. */
  void afterSiblings(MachineState s, int queue, int component) {
    for (int q = 0; q < agents.queues; q++) {
      if (agents.queueLane[q] == agents.queueLane[queue]
          && agents.queuePeer[q] == agents.queuePeer[queue]) {
        afterUnordered(s, q, component);
        clocks.order(s, agents.place[q], component);
      }
    }
  }

  /** Orders the row after all that an arrange request put before it. */
  void afterArranged(MachineState s, int queue, int row) {
    if (model.scan.arranges) {
      clocks.join(s, row, ClockIndex.arranged(model, queue));
    }
  }

  /**
   * Orders all that the queue places from here on after all that it placed so far. This uses a row
   * of its own, not the place: an unordered read is not ordered by such a request.
   */
  void arrange(MachineState s, int queue, int row, int causes) {
    int arranged = ClockIndex.arranged(model, queue);
    clocks.join(s, arranged, s.releases, row);
    s.seen.join(CausalClockIndex.arranged(model, queue), s.causes.rows, causes);
    after(s, agents.place[queue], arranged);
    int count = unorderedCount(s, queue);
    for (int i = 0; i < count; i++) {
      after(s, agents.unordered(queue, i), arranged);
    }
  }

  /** Orders a fetch in order after all values that returned. */
  void afterFills(MachineState s, int queue, int component) {
    int fill = agents.fill[queue];
    clocks.order(s, fill, component);
    if (model.scan.anyUnordered) {
      clocks.join(s, ClockIndex.inOrder(model, queue), fill);
    }
    clocks.advance(s, fill);
  }

  /**
   * Notes that the queue fetched in order a request with that clock. Returns a snapshot of this
   * clock and of what the queue fetched in order before.
   */
  int inOrder(MachineState s, int queue, int row) {
    int fetch = agents.fetch[queue];
    if (!model.scan.anyUnordered) {
      return clocks.keep(s, fetch);
    }
    int before = ClockIndex.inOrder(model, queue);
    clocks.join(s, before, s.releases, row);
    s.clocks.set(before, fetch, clocks.tick(s, fetch));
    return s.releases.keep(s.clocks, before);
  }

  /** A snapshot of those causes and of what was arranged so far. */
  int arrangedToo(MachineState s, int queue, int causes) {
    return model.scan.arranges
        ? s.causes.joined(causes, s.causes.keep(s.seen, CausalClockIndex.arranged(model, queue)))
        : causes;
  }

  /** A snapshot of what was arranged so far. */
  int arranged(MachineState s, int queue) {
    return s.releases.keep(s.clocks, ClockIndex.arranged(model, queue));
  }

  /** Orders the row after what the component did so far. */
  void after(MachineState s, int component, int row) {
    clocks.join(s, row, component);
    clocks.advance(s, component);
  }

  /** Orders a component after all unordered requests of the queue. */
  void afterUnordered(MachineState s, int queue, int component) {
    int count = unorderedCount(s, queue);
    for (int i = 0; i < count; i++) {
      clocks.order(s, agents.unordered(queue, i), component);
      clocks.advance(s, agents.unordered(queue, i));
    }
  }
}
