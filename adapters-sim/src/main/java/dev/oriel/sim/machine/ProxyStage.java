package dev.oriel.sim.machine;

import static dev.oriel.sim.machine.layout.RequestTable.POSTED;
import static dev.oriel.sim.machine.layout.RequestTable.SITE;

import dev.oriel.sim.machine.layout.Agents;
import dev.oriel.sim.machine.terms.Kept;

/** The two steps of a queue's proxy: it hands requests on, and it tells its lane of their ends. */
final class ProxyStage {
  private final Agents agents;
  private final Clocks clocks;
  private final Faults faults;
  private final Kept kept;
  private final Proxies proxies;
  private final RequestRing ring;
  private final QueueOrder order;
  private final Completions completions;

  ProxyStage(
      Shared shared, RequestRing ring, QueueOrder order, Proxies proxies, Completions completions) {
    agents = shared.model.agents;
    clocks = shared.clocks;
    faults = shared.faults;
    kept = shared.kept;
    this.proxies = proxies;
    this.ring = ring;
    this.order = order;
    this.completions = completions;
  }

  /** Whether the queue's proxy can take that step; {@code impatient} where nobody else can. */
  boolean enabled(State s, int queue, boolean hands, boolean impatient) {
    return proxies.goesOn(s, queue, impatient) && (hands ? handable(s, queue) : tellable(s, queue));
  }

  /** The queue's proxy takes that step. */
  void step(State s, int queue, boolean hands) {
    if (hands) {
      hand(s, queue);
    } else {
      tell(s, queue);
    }
  }

  /** Whether the queue's proxy has a request to hand on. */
  private boolean handable(State s, int queue) {
    return proxies.handable(s, queue, s.requests[ring.header(queue) + POSTED]);
  }

  /** The queue's proxy hands its oldest request on. */
  private void hand(State s, int queue) {
    int e = ring.entry(queue, proxies.handed(s, queue));
    proxies.hand(s, queue, s.requests[e + SITE]);
  }

  /** Whether the queue's proxy has more to tell its lane than it has told. */
  private boolean tellable(State s, int queue) {
    return completions(s, queue) > proxies.told(s, queue);
  }

  /** Up to which request the queue's proxy has seen completions. */
  private int completions(State s, int queue) {
    int all = completions.completedTo(s, queue, proxies.handed(s, queue));
    return faults.any ? Math.min(all, faults.lastCompletion(queue)) : all;
  }

  /** The queue's proxy tells its lane what has completed: sources are fetched. */
  private void tell(State s, int queue) {
    int row = known(s, agents.fetch[queue]);
    boolean fused = kept.fused(agents.queueNumber[queue]);
    int count = fused ? order.loose(s, queue) : 0;
    for (int i = fused ? -1 : 0; i < count; i++) {
      int place = i < 0 ? agents.place[queue] : agents.loose(queue, i);
      row = s.heads.joined(row, known(s, place));
    }
    if (agents.fill[queue] >= 0) {
      // What came back may be on its way to a GPU's memory still: the proxy flushes it.
      row = s.heads.joined(row, known(s, agents.fill[queue]));
    }
    proxies.tell(s, queue, completions(s, queue), row);
  }

  private int known(State s, int component) {
    int row = clocks.keep(s, component);
    clocks.advance(s, component);
    return row;
  }
}
