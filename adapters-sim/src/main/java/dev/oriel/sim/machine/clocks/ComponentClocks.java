package dev.oriel.sim.machine.clocks;

import dev.oriel.sim.machine.layout.AgentLayout;
import dev.oriel.sim.machine.layout.CausalClockIndex;
import dev.oriel.sim.machine.layout.ClockIndex;
import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.rows.ClockSnapshots;
import dev.oriel.sim.machine.state.MachineState;

/**
 * Vector clocks of all components. They hold happens-before, on which weak accesses may rely, and
 * causality through awaits.
 *
 * <p>A component advances its own entry only on its own events, after other clocks joined it. So no
 * other clock includes what the component does later.
 */
public final class ComponentClocks {
  private final MachineModel model;
  private final AgentLayout agents;

  public ComponentClocks(MachineModel model) {
    this.model = model;
    this.agents = model.agents;
  }

  /** Joins another clock into the clock {@code into}. */
  public void join(MachineState s, int into, int from) {
    s.clocks.join(into, s.clocks, from);
  }

  /** Joins a clock snapshot into the clock {@code into}. */
  public void join(MachineState s, int into, ClockSnapshots kept, int row) {
    if (row != 0) {
      s.clocks.join(into, kept.rows, row);
    }
  }

  public int tick(MachineState s, int component) {
    return s.clocks.at(component, component);
  }

  public void advance(MachineState s, int component) {
    s.clocks.increment(component, component);
  }

  /** Orders all that {@code from} did so far before all that {@code into} does from now on. */
  public void order(MachineState s, int from, int into) {
    join(s, into, from);
  }

  /**
   * Orders all that the lane's threads did so far before all that {@code into} does from now on.
   */
  void before(MachineState s, int lane, int into) {
    order(s, agents.leader[lane], into);
    if (agents.worker[lane] != agents.leader[lane]) {
      order(s, agents.worker[lane], into);
    }
  }

  /** Orders all that {@code from} did so far before all that the lane's threads do from now on. */
  public void orderLaneAfter(MachineState s, int lane, int from) {
    order(s, from, agents.leader[lane]);
    if (agents.worker[lane] != agents.leader[lane]) {
      order(s, from, agents.worker[lane]);
    }
  }

  /** A barrier of the lane's threads. */
  public void barrier(MachineState s, int lane) {
    int leader = agents.leader[lane];
    int worker = agents.worker[lane];
    if (leader == worker) {
      return;
    }
    order(s, worker, leader);
    advance(s, worker);
    order(s, leader, worker);
    advance(s, leader);
    s.settled[worker] = tick(s, worker) - 1;
    meet(s, lane);
  }

  /** Lets every thread of the lane observe what any of them observed. */
  private void meet(MachineState s, int lane) {
    int leader = CausalClockIndex.leader(model, lane);
    int worker = CausalClockIndex.worker(model, lane);
    s.causesRow[2 * lane] = 0;
    s.causesRow[2 * lane + 1] = 0;
    s.seen.join(leader, s.seen, worker);
    s.seen.join(leader, s.seen, CausalClockIndex.fresh(model, lane));
    s.seen.join(worker, s.seen, leader);
  }

  /**
   * Orders the begin of the lane's launch after its caller, and so after all earlier launches of
   * its rank.
   */
  public void begin(MachineState s, int lane, int caller) {
    int leader = agents.leader[lane];
    int worker = agents.worker[lane];
    int before = CausalClockIndex.caller(model, model.rank(lane));
    s.causesRow[2 * lane] = 0;
    s.causesRow[2 * lane + 1] = 0;
    s.seen.join(CausalClockIndex.leader(model, lane), s.seen, before);
    order(s, caller, leader);
    orderNames(s, leader);
    if (agents.unit[lane] >= 0) {
      order(s, caller, agents.unit[lane]);
      orderNames(s, agents.unit[lane]);
      s.settled[agents.unit[lane]] = tick(s, agents.unit[lane]);
    }
    if (worker != leader) {
      order(s, caller, worker);
      orderNames(s, worker);
      s.settled[worker] = tick(s, worker) - 1;
      meet(s, lane);
    }
  }

  /** Orders the lane's launch before what its caller does next. */
  public void end(MachineState s, int lane, int caller) {
    before(s, lane, caller);
    observed(s, lane, CausalClockIndex.caller(model, model.rank(lane)));
    advance(s, agents.leader[lane]);
    if (agents.worker[lane] != agents.leader[lane]) {
      advance(s, agents.worker[lane]);
    }
  }

  /** Joins another lane, which has ended; its awaits are over, too. */
  public void joined(MachineState s, int other, int lane) {
    before(s, other, agents.leader[lane]);
    observed(s, other, CausalClockIndex.leader(model, lane));
    s.causesRow[2 * lane] = 0;
    s.causesRow[2 * lane + 1] = 0;
  }

  /** Joins what all threads of the lane observed into that row. */
  private void observed(MachineState s, int lane, int into) {
    s.seen.join(into, s.seen, CausalClockIndex.leader(model, lane));
    s.seen.join(into, s.seen, CausalClockIndex.worker(model, lane));
    s.seen.join(into, s.seen, CausalClockIndex.fresh(model, lane));
  }

  /** A snapshot of the causal clock of the rank's caller: all that its lanes observed. */
  public int callerCauses(MachineState s, int rank) {
    return s.causes.keep(s.seen, CausalClockIndex.caller(model, rank));
  }

  /**
   * A new move of the lane's threads. Until the next barrier nothing orders it against their other
   * moves, so each has a tick of its own.
   */
  public void move(MachineState s, int lane) {
    if (agents.worker[lane] != agents.leader[lane]) {
      advance(s, agents.worker[lane]);
    }
  }

  /** A fence of that level by every thread of the lane. */
  public void fence(MachineState s, int lane, int level) {
    acquire(s, lane, level);
    release(s, lane, level);
  }

  /**
   * Orders all that the lane did or acquired before its later writes, for readers up to that level.
   */
  public void release(MachineState s, int lane, int level) {
    release(s, lane, level, false);
  }

  /**
   * The same.
   *
   * @param alone whether only what the leader did or acquired is ordered
   */
  public void release(MachineState s, int lane, int level, boolean alone) {
    int leader = agents.leader[lane];
    int worker = agents.worker[lane];
    boolean both = worker != leader && !alone;
    for (int v = 0; v <= level; v++) {
      int fenced = ClockIndex.fenced(model, lane, v);
      // Clocks only grow: leader and worker include what an earlier fence ordered.
      s.clocks.copy(fenced, s.clocks, leader);
      if (both) {
        join(s, fenced, worker);
      }
    }
    s.fencedRow[lane] = 0;
    advance(s, leader);
    if (both) {
      advance(s, worker);
    }
  }

  /** Orders what the lane's relaxed reads observed, up to that level, before its later accesses. */
  public void acquire(MachineState s, int lane, int level) {
    for (int v = 0; (model.scan.relaxes || model.levels > 1) && v <= level; v++) {
      join(s, agents.leader[lane], ClockIndex.pending(model, lane, v));
    }
  }

  /** For profiles that keep stores in order: orders all that the lane did before its next write. */
  public void storesInOrder(MachineState s, int lane) {
    int leader = agents.leader[lane];
    int worker = agents.worker[lane];
    for (int v = 0; v < model.levels; v++) {
      int fenced = ClockIndex.fenced(model, lane, v);
      join(s, fenced, leader);
      join(s, fenced, worker);
    }
    s.fencedRow[lane] = 0;
    advance(s, leader);
    if (worker != leader) {
      advance(s, worker);
    }
  }

  /** For two lanes of one thread: orders what the other lane did before what the lane does next. */
  public void together(MachineState s, int other, int lane) {
    joined(s, other, lane);
    order(s, agents.leader[lane], agents.worker[lane]);
    s.seen.join(CausalClockIndex.worker(model, lane), s.seen, CausalClockIndex.leader(model, lane));
    advance(s, agents.leader[other]);
    if (agents.worker[other] != agents.leader[other]) {
      advance(s, agents.worker[other]);
    }
  }

  /**
   * Orders a strict fence of the lane after every earlier one whose scope reaches the lane and
   * whose lane its own scope reaches.
   */
  public void afterStrictFences(MachineState s, int lane, int scope) {
    int row = agents.leader[lane];
    for (int other = 0; other < model.lanes; other++) {
      int apart = other == lane ? 0 : model.apart(agents.leader[other], lane);
      for (int v = model.level(apart); scope >= apart && v < model.levels; v++) {
        join(s, row, ClockIndex.strict(model, other, v));
      }
    }
  }

  /** Orders later strict fences after the one of that level that the lane has just made. */
  public void strictFence(MachineState s, int lane, int level) {
    join(s, ClockIndex.strict(model, lane, level), ClockIndex.fenced(model, lane, level));
  }

  /** A snapshot of the clock that the lane's last system fence ordered. */
  public int fencedRow(MachineState s, int lane) {
    if (s.fencedRow[lane] == 0) {
      s.fencedRow[lane] =
          s.releases.keep(s.clocks, ClockIndex.fenced(model, lane, model.levels - 1));
    }
    return s.fencedRow[lane];
  }

  /**
   * A snapshot of the clock that orders a request posted now. It includes all that the lane
   * acquired, but of the lane's own accesses only those before its last system fence.
   */
  public int postedRow(MachineState s, int lane) {
    int leader = agents.leader[lane];
    int worker = agents.worker[lane];
    int row = s.releases.keep(s.clocks, leader);
    if (model.ordered) {
      return row;
    }
    int fenced = ClockIndex.fenced(model, lane, model.levels - 1);
    s.releases.rows.set(row, leader, s.clocks.at(fenced, leader));
    s.releases.rows.set(row, worker, s.clocks.at(fenced, worker));
    if (agents.twins.length > 0) {
      s.releases.rows.set(row, leader + 1, s.clocks.at(fenced, leader + 1));
      s.releases.rows.set(row, worker + 1, s.clocks.at(fenced, worker + 1));
    }
    return row;
  }

  /**
   * Orders what the lane's threads did or acquired before accesses through aliases of its memory.
   */
  public void orderNamesOf(MachineState s, int lane) {
    int leader = agents.leader[lane];
    int worker = agents.worker[lane];
    advance(s, leader);
    orderNames(s, leader);
    if (worker != leader) {
      advance(s, worker);
      orderNames(s, worker);
    }
  }

  private void orderNames(MachineState s, int component) {
    for (int c : agents.twins) {
      s.clocks.set(component, c + 1, s.clocks.at(component, c) - (c == component ? 1 : 0));
    }
  }

  /** Orders what the lane's threads did or acquired before what its bulk-copy unit does next. */
  public void orderBulk(MachineState s, int lane) {
    if (agents.unit[lane] >= 0) {
      before(s, lane, agents.unit[lane]);
      advance(s, agents.leader[lane]);
      if (agents.worker[lane] != agents.leader[lane]) {
        advance(s, agents.worker[lane]);
      }
    }
  }

  /** The lane's unit begins one more copy, unordered with the others under way. */
  public void bulk(MachineState s, int lane) {
    advance(s, agents.unit[lane]);
  }

  /** Orders the finished copies of the lane's unit before what its threads do next. */
  public void bulkEnded(MachineState s, int lane) {
    if (agents.unit[lane] >= 0) {
      int unit = agents.unit[lane];
      orderLaneAfter(s, lane, unit);
      s.settled[unit] = tick(s, unit);
    }
  }

  /** A snapshot of the component's clock. */
  public int keep(MachineState s, int component) {
    return s.releases.keep(s.clocks, component);
  }

  /**
   * Makes interface writes to the lane's own memory visible, as far as the lane is ordered after
   * them. Every reader that is ordered after the lane then sees them.
   */
  public void consist(MachineState s, int lane) {
    int rank = model.rank(lane);
    consist(s, agents.leader[lane], rank);
    if (agents.worker[lane] != agents.leader[lane]) {
      consist(s, agents.worker[lane], rank);
    }
  }

  private void consist(MachineState s, int component, int rank) {
    for (int c : agents.placedAt[rank]) {
      s.clocks.raise(component, c + 1, s.clocks.at(component, c));
    }
  }

  /**
   * A read through an interface completes after that interface's earlier writes reach memory. So
   * the writes that the reader's clock includes become visible to every reader ordered after it.
   */
  public void readBack(MachineState s, int reader) {
    for (int c : agents.placedAt[agents.rankOf[reader]]) {
      if (agents.interfaceOf[c] == agents.interfaceOf[reader]) {
        s.clocks.raise(reader, c + 1, s.clocks.at(reader, c));
      }
    }
  }

  /**
   * The row that records the lane's awaits; other threads of a worker join it at the next barrier.
   */
  private int awaiting(int lane, boolean worker) {
    boolean single = worker && agents.worker[lane] != agents.leader[lane];
    return single ? CausalClockIndex.fresh(model, lane) : CausalClockIndex.leader(model, lane);
  }

  /**
   * Counts an await of the lane: one, however many messages it returns and in whichever order.
   *
   * @param worker whether one thread of the worker awaited; the others are ordered after the await
   *     only from the next barrier on
   */
  public void awaited(MachineState s, int lane, boolean worker) {
    s.seen.increment(awaiting(lane, worker), CausalClockIndex.column(model, lane, worker));
    s.causesRow[2 * lane] = 0;
    s.causesRow[2 * lane + 1] = 0;
  }

  /**
   * Joins the causal clock of a message that the lane's last await returned.
   *
   * @return the number of the await among the agent's
   */
  public int taken(MachineState s, int lane, boolean worker, int causes) {
    int row = awaiting(lane, worker);
    s.causesRow[2 * lane] = 0;
    s.causesRow[2 * lane + 1] = 0;
    if (causes != 0) {
      s.seen.join(row, s.causes.rows, causes);
    }
    return s.seen.at(row, CausalClockIndex.column(model, lane, worker));
  }

  /** A snapshot of the causal clock of the lane's leader or worker. */
  public int causes(MachineState s, int lane, boolean worker) {
    int at = 2 * lane + (worker ? 1 : 0);
    if (s.causesRow[at] == 0) {
      s.causesRow[at] =
          s.causes.keep(
              s.seen,
              worker ? CausalClockIndex.worker(model, lane) : CausalClockIndex.leader(model, lane));
    }
    return s.causesRow[at];
  }

  /** A snapshot of the causal clock of a request that is posted now: what its lane observed. */
  public int posted(MachineState s, int queue) {
    return causes(s, agents.queueLane[queue], false);
  }

  /** Joins those causes into the causal clock of the lane's leader. */
  public void joinLeaderCauses(MachineState s, int lane, int causes) {
    s.causesRow[2 * lane] = 0;
    s.seen.join(CausalClockIndex.leader(model, lane), s.causes.rows, causes);
  }

  /** Joins the causes of a word's writer into those that requests of the queue observed. */
  public void found(MachineState s, int queue, int causes) {
    if (causes != 0) {
      s.seen.join(CausalClockIndex.found(model, queue), s.causes.rows, causes);
    }
  }

  /** Joins what the queue's requests observed into the lane's causal clock, with their results. */
  public void results(MachineState s, int queue) {
    if (model.scan.finds) {
      int lane = agents.queueLane[queue];
      s.causesRow[2 * lane] = 0;
      s.causesRow[2 * lane + 1] = 0;
      s.seen.join(
          CausalClockIndex.leader(model, lane), s.seen, CausalClockIndex.found(model, queue));
    }
  }

  /**
   * A snapshot that adds, to the causes of a request, all that the component fetched so far. It
   * orders events after the request.
   */
  public int fetched(MachineState s, int component, int causes) {
    int row = s.causes.again(causes);
    s.causes.rows.set(row, CausalClockIndex.fetchColumn(model, component), tick(s, component));
    return row;
  }

  /** The same with all that the queue fetched so far, in order or not. */
  public int allFetched(MachineState s, int queue, int causes) {
    int row = fetched(s, agents.fetch[queue], causes);
    int end = queue + 1 < agents.queues ? agents.fetch[queue + 1] : agents.components;
    for (int c = agents.fetch[queue] + 1; c < end; c++) {
      if (agents.source[c] >= 0) {
        int known = s.clocks.at(agents.fetch[queue], c);
        s.causes.rows.set(row, CausalClockIndex.fetchColumn(model, c), known);
      }
    }
    return row;
  }
}
