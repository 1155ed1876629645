package dev.oriel.sim.machine;

import static dev.oriel.sim.machine.layout.RequestTable.LOOSE_COUNT;

import dev.oriel.sim.machine.layout.Agents;
import dev.oriel.sim.machine.layout.ClockRows;
import dev.oriel.sim.machine.layout.Model;
import dev.oriel.sim.machine.layout.SeenRows;

/** The order of a queue's stages, and of others after them. */
final class QueueOrder {
  private final Model model;
  private final Agents agents;
  private final Clocks clocks;
  private final RequestRing ring;

  QueueOrder(Model model, Clocks clocks, RequestRing ring) {
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
  int loose(State s, int queue) {
    return s.requests[ring.header(queue) + LOOSE_COUNT];
  }

  /** In one total order the lane is ordered after all that its queue did. */
  void over(State s, int queue) {
    int end = queue + 1 < agents.queues ? agents.fetch[queue + 1] : agents.components;
    for (int c = agents.fetch[queue]; c < end; c++) {
      clocks.order(s, c, agents.leader[agents.queueLane[queue]]);
      clocks.advance(s, c);
    }
  }

  /** Orders the lane after what its queue has placed, too. */
  void placedToo(State s, int queue, int lane) {
    int count = loose(s, queue);
    for (int i = -1; i < count; i++) {
      int place = i < 0 ? agents.place[queue] : agents.loose(queue, i);
      clocks.behind(s, lane, place);
      clocks.advance(s, place);
    }
  }

  /** Orders the component after all queues of the lane to that peer, as if they were one. */
  void behindSiblings(State s, int queue, int component) {
    for (int q = 0; q < agents.queues; q++) {
      if (agents.queueLane[q] == agents.queueLane[queue]
          && agents.queuePeer[q] == agents.queuePeer[queue]) {
        behindLoose(s, q, component);
        clocks.order(s, agents.place[q], component);
      }
    }
  }

  /** Orders the row after all that an arrange request put before it. */
  void behindArranged(State s, int queue, int row) {
    if (model.scan.arranges) {
      clocks.join(s, row, ClockRows.arranged(model, queue));
    }
  }

  /**
   * Orders all that the queue places from here on after all that it placed so far. This uses a row
   * of its own, not the place: an unordered read is not ordered by such a request.
   */
  void arrange(State s, int queue, int row, int causes) {
    int arranged = ClockRows.arranged(model, queue);
    clocks.join(s, arranged, s.heads, row);
    s.seen.join(SeenRows.arranged(model, queue), s.causes.rows, causes);
    behind(s, agents.place[queue], arranged);
    int count = loose(s, queue);
    for (int i = 0; i < count; i++) {
      behind(s, agents.loose(queue, i), arranged);
    }
  }

  /** Orders a fetch in order after all values that returned. */
  void behindFills(State s, int queue, int component) {
    int fill = agents.fill[queue];
    clocks.order(s, fill, component);
    if (model.scan.anyLoose) {
      clocks.join(s, ClockRows.inOrder(model, queue), fill);
    }
    clocks.advance(s, fill);
  }

  /**
   * Notes that the queue fetched in order a request with that clock. Returns a snapshot of this
   * clock and of what the queue fetched in order before.
   */
  int inOrder(State s, int queue, int row) {
    int fetch = agents.fetch[queue];
    if (!model.scan.anyLoose) {
      return clocks.keep(s, fetch);
    }
    int before = ClockRows.inOrder(model, queue);
    clocks.join(s, before, s.heads, row);
    s.clocks.set(before, fetch, clocks.tick(s, fetch));
    return s.heads.keep(s.clocks, before);
  }

  /** A snapshot of those causes and of what was arranged so far. */
  int arrangedToo(State s, int queue, int causes) {
    return model.scan.arranges
        ? s.causes.joined(causes, s.causes.keep(s.seen, SeenRows.arranged(model, queue)))
        : causes;
  }

  /** A snapshot of what was arranged so far. */
  int arranged(State s, int queue) {
    return s.heads.keep(s.clocks, ClockRows.arranged(model, queue));
  }

  /** Orders the row after what the component did so far. */
  void behind(State s, int component, int row) {
    clocks.join(s, row, component);
    clocks.advance(s, component);
  }

  /** Orders a component after all unordered requests of the queue. */
  void behindLoose(State s, int queue, int component) {
    int count = loose(s, queue);
    for (int i = 0; i < count; i++) {
      clocks.order(s, agents.loose(queue, i), component);
      clocks.advance(s, agents.loose(queue, i));
    }
  }
}
