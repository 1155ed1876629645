package dev.oriel.sim.rdma;

import dev.oriel.sim.rdma.RdmaEvents.Event;
import dev.oriel.sim.rdma.RdmaEvents.Stage;
import dev.oriel.sim.rdma.RdmaOp.Placing;
import dev.oriel.sim.rdma.RdmaRow.Setting;
import java.util.List;

/**
 * What of two events of one agent always comes first. A request is posted, starts, acts at the far
 * side, returns, is done; starts of a queue are in order, all that follows only as far as a rule
 * here says, and a wait is for all requests before it. A put is done when it is fetched: that says
 * nothing of its place.
 */
record RdmaRules(RdmaRow row) {
  /** Whether the first of two events of one agent, in this order, is always earlier. */
  boolean before(Event a, Event b) {
    boolean queue = a.op().queue() == b.op().queue();
    if (a.step().at() == b.step().at()) {
      return switch (b.stage()) {
        case DONE -> a.stage() != Stage.PLACE || !(a.op() instanceof RdmaOp.Put);
        case PLACE -> a.stage() == Stage.OWN || a.part() == b.part() || inOrder(a, b);
        default -> a.stage() == Stage.OWN || a.part() == b.part();
      };
    }
    return switch (b.stage()) {
      case OWN ->
          switch (a.stage()) {
            case OWN -> !a.op().weak() || b.op() instanceof RdmaOp.Fence;
            case DONE -> queue && b.op() instanceof RdmaOp.Wait;
            case PLACE -> b.op() instanceof RdmaOp.Flush f && f.queues().contains(a.op().queue());
            default -> false;
          };
      case START ->
          queue && (a.stage() == b.stage() || (b.op().fenced() && a.stage() == Stage.RETURN));
      case READ, PLACE ->
          queue
              && (a.stage() == Stage.PLACE
                  ? behind(a, b)
                  : is(Setting.GETS_IN_ORDER) && a.stage() == b.stage());
      case RETURN, DONE -> false;
    };
  }

  /** Whether two parts of one put are placed in order. */
  private boolean inOrder(Event a, Event b) {
    return a.stage() == Stage.PLACE
        && a.op() instanceof RdmaOp.Put put
        && (is(Setting.MESSAGES_IN_ORDER)
            || (is(Setting.BLOCKS_IN_ORDER)
                && put.parts().get(a.part()).block() == put.parts().get(b.part()).block()));
  }

  /** Whether a request acts at the far side behind what an earlier one of its queue places. */
  private boolean behind(Event placed, Event event) {
    boolean loose = is(Setting.UNORDERED_TRANSPORT) && !(event.op() instanceof RdmaOp.Get);
    List<RdmaOp> ops = row.agents().get(event.step().agent()).ops();
    return switch (loose ? Placing.RELAXED : event.op().placing()) {
      case STRICT -> true;
      case RELAXED -> false;
      case BEHIND_PREVIOUS ->
          ops.subList(placed.step().at() + 1, event.step().at()).stream()
              .noneMatch(op -> op.queue() == event.op().queue());
    };
  }

  boolean is(Setting setting) {
    return row.settings().contains(setting);
  }

  /** The atomics among which this half of one is atomic, or -1 if it is none. */
  int domain(Event event) {
    boolean far = event.stage() == Stage.READ || event.stage() == Stage.PLACE;
    if (event.op() instanceof RdmaOp.FetchAdd fetch && far) {
      return is(Setting.PLATFORM_ATOMICS) ? 0 : is(Setting.NIC_PER_QUEUE) ? 1 + fetch.queue() : 1;
    }
    return event.op() instanceof RdmaOp.Add ? 0 : -1;
  }
}
