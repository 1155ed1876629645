package dev.oriel.sim.litmus.path;

import dev.oriel.sim.litmus.test.ValueComparison;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * One path through a thread's code: its events, the constraints on its reads, and its ending. On a
 * stuck path the events from {@code spinFrom} repeat forever.
 */
public record ThreadPath(
    List<PathEvent> events,
    List<Constraint> constraints,
    Map<String, Integer> finals,
    Ending ending,
    int spinFrom,
    List<Integer> terms) {

  /** How a path ends. */
  public enum Ending {
    FINISHED,
    /** In a loop that returned to an earlier state. */
    STUCK,
    /** At its last event, a barrier. */
    BLOCKED,
    /** In a loop that it never leaves, whatever its reads return. */
    ENDLESS,
    /** At the bound on rounds that reads decide. */
    CUT
  }

  /** A branch that was taken or not taken. */
  public record Constraint(ValueComparison comparison, int a, int b, boolean holds) {}

  static ThreadPath of(
      List<PathEvent> events,
      List<Constraint> constraints,
      Map<String, Integer> finals,
      Ending ending,
      int spinFrom,
      ValueTerms terms) {
    List<Integer> roots = new ArrayList<>(finals.values());
    for (PathEvent event : events) {
      if (event.value() >= 0) {
        roots.add(event.value());
      }
      if (event.quorum() >= 0) {
        roots.add(event.quorum());
      }
    }
    for (Constraint constraint : constraints) {
      roots.add(constraint.a());
      roots.add(constraint.b());
    }
    return new ThreadPath(
        List.copyOf(events),
        List.copyOf(constraints),
        Map.copyOf(finals),
        ending,
        spinFrom,
        terms.closure(roots));
  }
}
