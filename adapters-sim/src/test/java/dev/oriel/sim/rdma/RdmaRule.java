package dev.oriel.sim.rdma;

import dev.oriel.sim.rdma.RdmaOp.Kind;
import dev.oriel.sim.rdma.RdmaOp.Mark;
import dev.oriel.sim.rdma.RdmaOp.Stage;
import dev.oriel.sim.rdma.RdmaRow.Event;
import dev.oriel.sim.rdma.RdmaRow.Setting;

/** Rules that order event {@code a} of an agent before {@code b}, which is later in its program. */
@SuppressWarnings("ImmutableEnumChecker") // the conditions have no state
enum RdmaRule {
  /** The stages of a request are ordered; its placed writes are unordered. */
  WAY((row, a, b) -> a.sameStep(b) && (a.stage() != Stage.PLACE || b.stage() != Stage.PLACE)),
  /** An agent acts and posts in order; a weak access is ordered only by fences and at one place. */
  PROGRAM((row, a, b) ->
      a.stage() == Stage.OWN
          && (!a.op().is(Mark.WEAK)
              || b.op().kind() == Kind.FENCE
              || (b.stage() == Stage.OWN && a.place().equals(b.place())))),
  /**
   * The fetch of a put precedes all later requests and waits of its queue; it completes the put.
   */
  QUEUE((row, a, b) -> queued(a, b) && a.stage() == Stage.FETCH),
  /** A wait, and a fenced request, follow all returned data of the queue. */
  RETURNED((row, a, b) -> queued(a, b) && a.stage() == Stage.RETURN && b.op().is(Mark.FENCED)),
  /** A flush follows all placed writes of its queues. */
  FLUSH((row, a, b) ->
      a.stage() == Stage.PLACE
          && b.op().kind() == Kind.FLUSH
          && b.op().queues().containsAll(a.op().queues())),
  /** A strict request acts remotely after all earlier placed writes of its queue there. */
  STRICT((row, a, b) ->
      follows(row, a, b) && !b.op().is(Mark.RELAXED) && !b.op().is(Mark.BEHIND_PREVIOUS)),
  /** A weak signal acts remotely after the directly preceding request. */
  PREVIOUS((row, a, b) ->
      follows(row, a, b)
          && b.op().is(Mark.BEHIND_PREVIOUS)
          && row.events().stream()
              .filter(e -> queued(e, b) && e.agent() == b.agent())
              .noneMatch(e -> a.at() < e.at() && e.at() < b.at())),
  /** If gets are in order, those of a queue read in order. */
  GETS((row, a, b) ->
      row.is(Setting.GETS_IN_ORDER)
          && queued(a, b)
          && a.stage() == Stage.READ
          && b.stage() == Stage.READ),
  /** If messages or blocks are in order, their parts are placed front to back. */
  PARTS((row, a, b) ->
      a.sameStep(b)
          && (row.is(Setting.MESSAGES_IN_ORDER)
              || (row.is(Setting.BLOCKS_IN_ORDER) && a.access().block() == b.access().block())));

  interface Condition {
    boolean holds(RdmaRow row, Event a, Event b);
  }

  private final Condition condition;

  RdmaRule(Condition condition) {
    this.condition = condition;
  }

  /** Events of different agents are unordered. */
  boolean orders(RdmaRow row, Event a, Event b) {
    return a.agent() == b.agent() && condition.holds(row, a, b);
  }

  private static boolean queued(Event a, Event b) {
    return !a.sameStep(b) && a.op().queues().equals(b.op().queues());
  }

  /**
   * Whether b acts remotely after a is placed through the same queue, unless messages are delivered
   * separately.
   */
  private static boolean follows(RdmaRow row, Event a, Event b) {
    return queued(a, b)
        && a.stage() == Stage.PLACE
        && (b.stage() == Stage.READ || b.stage() == Stage.PLACE)
        && (b.op().kind() == Kind.GET || !row.is(Setting.UNORDERED_TRANSPORT));
  }
}
