package dev.oriel.sim.rdma;

import dev.oriel.sim.rdma.RdmaOp.Stage;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A shape of one-sided communication and whether its outcome is observable. Places initially hold 0
 * unless stated otherwise. An outcome gives values to registers and final values to places.
 */
record RdmaRow(
    String name,
    Verdict verdict,
    String shape,
    Set<Setting> settings,
    SortedMap<String, Long> initial,
    List<Agent> agents,
    SortedMap<String, Long> outcome) {

  /** Whether an outcome is observable. */
  enum Verdict {
    ALLOWED,
    FORBIDDEN
  }

  /** Differences from the default: one NIC, whose placed writes are visible to all at once. */
  enum Setting {
    /** No ordering attribute: an observed flag does not imply data placed before it. */
    VISIBLE_TO_NONE,
    /** Ordered for the GPU that owns the memory, not for its peers. */
    VISIBLE_TO_OWNER,
    /** The parts of one message in a block of 128 bytes are placed in order. */
    BLOCKS_IN_ORDER,
    /** All parts of one message are placed in order. */
    MESSAGES_IN_ORDER,
    /** The remote reads of one queue happen in order. */
    GETS_IN_ORDER,
    /** The transport delivers each message separately. */
    UNORDERED_TRANSPORT,
    /** Queue n of every agent ends at NIC n. */
    NIC_PER_QUEUE,
    /** All atomics of a place are atomic with each other. */
    PLATFORM_ATOMICS
  }

  /** Steps in program order; a peer is a GPU that reads memory of another. */
  record Agent(boolean peer, List<RdmaOp> ops) {}

  /** An access; the initial value of a place is a store of agent -1. */
  record Event(int agent, int at, RdmaOp op, RdmaOp.Access access) {
    boolean sameStep(Event other) {
      return agent == other.agent && at == other.at;
    }

    Stage stage() {
      return access.stage();
    }

    String place() {
      return access.place();
    }

    boolean writes() {
      return access.writes();
    }
  }

  static RdmaRow allowed(String name, String shape) {
    return new RdmaRow(name, Verdict.ALLOWED, shape, Set.of(), none(), List.of(), none());
  }

  static RdmaRow forbidden(String name, String shape) {
    return new RdmaRow(name, Verdict.FORBIDDEN, shape, Set.of(), none(), List.of(), none());
  }

  RdmaRow with(Setting setting) {
    Set<Setting> more = EnumSet.of(setting);
    more.addAll(settings);
    return new RdmaRow(name, verdict, shape, more, initial, agents, outcome);
  }

  RdmaRow initially(String place, long value) {
    return new RdmaRow(
        name, verdict, shape, settings, plus(initial, place, value), agents, outcome);
  }

  RdmaRow agent(RdmaOp... ops) {
    return agent(new Agent(false, List.of(ops)));
  }

  RdmaRow peer(RdmaOp... ops) {
    return agent(new Agent(true, List.of(ops)));
  }

  private RdmaRow agent(Agent agent) {
    List<Agent> more = new ArrayList<>(agents);
    more.add(agent);
    return new RdmaRow(name, verdict, shape, settings, initial, List.copyOf(more), outcome);
  }

  RdmaRow ends(String variable, long value) {
    return new RdmaRow(
        name, verdict, shape, settings, initial, agents, plus(outcome, variable, value));
  }

  RdmaRow anyEnd() {
    return new RdmaRow(name, verdict, shape, settings, initial, agents, none());
  }

  boolean is(Setting setting) {
    return settings.contains(setting);
  }

  /** The initial values of places, then each agent's events in program order. */
  List<Event> events() {
    List<Event> events = new ArrayList<>();
    for (int agent = 0; agent < agents.size(); agent++) {
      List<RdmaOp> ops = agents.get(agent).ops();
      for (int at = 0; at < ops.size(); at++) {
        for (RdmaOp.Access access : ops.get(at).accesses()) {
          events.add(new Event(agent, at, ops.get(at), access));
        }
      }
    }
    for (String place : events.stream().map(Event::place).distinct().toList()) {
      RdmaOp first = RdmaOp.store(place, initial.getOrDefault(place, 0L));
      events.addFirst(new Event(-1, 0, first, first.accesses().getFirst()));
    }
    return events;
  }

  /** The row without its name and verdict, one line per editable part. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    settings.forEach(setting -> lines.add(setting.toString()));
    initial.forEach((place, value) -> lines.add("first %s %d".formatted(place, value)));
    for (Agent agent : agents) {
      lines.add(agent.peer() ? "peer" : "agent");
      agent.ops().forEach(op -> lines.add(op.toString()));
    }
    outcome.forEach((variable, value) -> lines.add("last %s %d".formatted(variable, value)));
    return lines;
  }

  @Override
  public String toString() {
    return name;
  }

  private static SortedMap<String, Long> none() {
    return Collections.emptySortedMap();
  }

  private static SortedMap<String, Long> plus(
      SortedMap<String, Long> map, String name, long value) {
    SortedMap<String, Long> more = new TreeMap<>(map);
    more.put(name, value);
    return Collections.unmodifiableSortedMap(more);
  }
}
