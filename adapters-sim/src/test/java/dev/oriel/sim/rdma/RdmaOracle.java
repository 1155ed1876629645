package dev.oriel.sim.rdma;

import dev.oriel.sim.rdma.RdmaOp.Kind;
import dev.oriel.sim.rdma.RdmaOp.Stage;
import dev.oriel.sim.rdma.RdmaRow.Event;
import dev.oriel.sim.rdma.RdmaRow.Setting;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Decides a shape. An execution is an order of its events that no rule forbids. A read finds the
 * last write to its place or, while that is hidden from it, an older one. No atomic comes between
 * the halves of another.
 */
@SuppressWarnings({"NullAway", "ReferenceEquality"})
final class RdmaOracle {
  private final RdmaRow row;
  private final Map<Event, List<Event>> before = new LinkedHashMap<>();
  private final List<Event> order = new ArrayList<>();
  private final Map<Event, Event> found = new HashMap<>();

  private RdmaOracle(RdmaRow row, Set<RdmaRule> rules) {
    this.row = row;
    for (Event b : row.events()) {
      List<Event> earlier = new ArrayList<>(before.keySet());
      earlier.removeIf(a -> rules.stream().noneMatch(rule -> rule.orders(row, a, b)));
      before.put(b, earlier);
    }
    before.keySet().stream().filter(e -> e.agent() < 0).forEach(order::add);
  }

  /** Whether some execution has the row's outcome. */
  static boolean allows(RdmaRow row, Set<RdmaRule> rules) {
    return new RdmaOracle(row, rules).canEnd();
  }

  private boolean canEnd() {
    return order.size() == before.size()
        ? ends()
        : before.keySet().stream()
            .anyMatch(e -> !order.contains(e) && order.containsAll(before.get(e)) && canEndBy(e));
  }

  private boolean canEndBy(Event event) {
    boolean can = false;
    for (Event write : event.writes() ? List.of(event) : visible(event)) {
      order.add(event);
      found.put(event, write);
      can = can || (isWhole(event) && isPermitted(event.op().register(), event) && canEnd());
      order.removeLast();
    }
    return can;
  }

  /** The last write to the place of a read, and older ones while it is hidden. */
  private List<Event> visible(Event read) {
    List<Event> writes = new ArrayList<>();
    for (Event e : order.reversed()) {
      boolean further = writes.isEmpty() || isHidden(writes.getLast(), read);
      if (further && e.writes() && e.place().equals(read.place())) {
        writes.add(e);
      }
    }
    return writes;
  }

  /** A request's write may be hidden until the reader makes it visible, or has found it. */
  private boolean isHidden(Event write, Event read) {
    return read.stage() == Stage.OWN
        && write.stage() != Stage.OWN
        && (row.is(Setting.VISIBLE_TO_NONE)
            || (row.is(Setting.VISIBLE_TO_OWNER) && row.agents().get(read.agent()).peer()))
        && order.stream()
            .skip(order.indexOf(write))
            .filter(e -> e.agent() == read.agent() && e.stage() == Stage.OWN)
            .noneMatch(e -> e.op().kind() == Kind.CONSIST || found.get(e) == write);
  }

  /** Whether no atomic of its kind came between the halves of the one that ends with this event. */
  private boolean isWhole(Event event) {
    return order.reversed().stream()
        .skip(1)
        .takeWhile(e -> atomics(event) >= 0 && !e.sameStep(event))
        .noneMatch(e -> atomics(e) == atomics(event) && e.place().equals(event.place()));
  }

  /** The class of atomics to which a write belongs; -1 if it is not atomic. */
  private int atomics(Event event) {
    boolean own = event.op().kind() == Kind.ADD && event.writes();
    boolean placed = event.op().kind() == Kind.FETCH_ADD && event.stage() == Stage.PLACE;
    if (own || (placed && row.is(Setting.PLATFORM_ATOMICS))) {
      return 0;
    }
    return placed ? 1 + (row.is(Setting.NIC_PER_QUEUE) ? event.op().queues().getFirst() : 0) : -1;
  }

  private boolean ends() {
    Map<String, Event> last = new HashMap<>();
    order.stream().filter(Event::writes).forEach(e -> last.put(e.place(), e));
    return last.values().stream().allMatch(e -> isPermitted(e.place(), e));
  }

  /** Whether an await or the row's outcome permits that value. */
  private boolean isPermitted(String variable, Event event) {
    long value = value(event);
    return row.outcome().getOrDefault(variable, value) == value
        && (event.op().kind() != Kind.AWAIT || event.op().value() == value);
  }

  private long value(Event event) {
    return event.writes()
        ? order.stream()
            .takeWhile(e -> e != event)
            .filter(e -> e.sameStep(event) && !e.writes())
            .mapToLong(this::value)
            .reduce(event.access().value(), Long::sum)
        : value(found.get(event));
  }
}
