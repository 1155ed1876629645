package dev.oriel.sim.rdma;

import dev.oriel.sim.rdma.RdmaOp.Kind;
import dev.oriel.sim.rdma.RdmaOp.Mark;
import dev.oriel.sim.rdma.RdmaOp.Stage;
import dev.oriel.sim.rdma.RdmaRow.Event;
import dev.oriel.sim.rdma.RdmaRow.Setting;

/** What keeps event {@code a} of an agent before {@code b}, which is later in its program. */
@SuppressWarnings("ImmutableEnumChecker") // the conditions have no state
enum RdmaRule {
  /** A request goes its way; what it places it places side by side. */
  WAY((row, a, b) -> a.sameStep(b) && (a.stage() != Stage.PLACE || b.stage() != Stage.PLACE)),
  /** An agent acts and posts in order; but a weak access only before fences and at one place. */
  PROGRAM((row, a, b) ->
      a.stage() == Stage.OWN
          && (!a.op().is(Mark.WEAK)
              || b.op().kind() == Kind.FENCE
              || (b.stage() == Stage.OWN && a.place().equals(b.place())))),
  /** A put is fetched before all that its queue is given later, a wait too; this completes it. */
  QUEUE((row, a, b) -> queued(a, b) && a.stage() == Stage.FETCH),
  /** A wait, and a fenced request, come when all that its queue brings back is here. */
  RETURNED((row, a, b) -> queued(a, b) && a.stage() == Stage.RETURN && b.op().is(Mark.FENCED)),
  /** A flush comes when all that its queues were given is placed. */
  FLUSH((row, a, b) ->
      a.stage() == Stage.PLACE
          && b.op().kind() == Kind.FLUSH
          && b.op().queues().containsAll(a.op().queues())),
  /** A strict request acts at the far side behind all that its queue places there. */
  STRICT((row, a, b) ->
      follows(row, a, b) && !b.op().is(Mark.RELAXED) && !b.op().is(Mark.BEHIND_PREVIOUS)),
  /** A weak signal acts there behind the request just before it. */
  PREVIOUS((row, a, b) ->
      follows(row, a, b)
          && b.op().is(Mark.BEHIND_PREVIOUS)
          && row.events().stream()
              .filter(e -> queued(e, b) && e.agent() == b.agent())
              .noneMatch(e -> a.at() < e.at() && e.at() < b.at())),
  /** Where gets are in order, those of a queue read in order. */
  GETS((row, a, b) ->
      row.is(Setting.GETS_IN_ORDER)
          && queued(a, b)
          && a.stage() == Stage.READ
          && b.stage() == Stage.READ),
  /** Where messages are in order, or blocks, they are placed from front to back. */
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

  /** Of different agents nothing is in order. */
  boolean orders(RdmaRow row, Event a, Event b) {
    return a.agent() == b.agent() && condition.holds(row, a, b);
  }

  private static boolean queued(Event a, Event b) {
    return !a.sameStep(b) && a.op().queues().equals(b.op().queues());
  }

  /** Whether b acts there, where a is placed from the same queue; unless each goes by itself. */
  private static boolean follows(RdmaRow row, Event a, Event b) {
    return queued(a, b)
        && a.stage() == Stage.PLACE
        && (b.stage() == Stage.READ || b.stage() == Stage.PLACE)
        && (b.op().kind() == Kind.GET || !row.is(Setting.UNORDERED_TRANSPORT));
  }
}
