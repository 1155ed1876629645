package dev.oriel.sim.trace;

import java.util.List;

/**
 * The failure of a recorded execution.
 *
 * @param kind its class in one word, such as {@code race} or {@code deadlock}
 * @param message the failure, facts, and what to do
 * @param events the events involved: two racing accesses, or the lanes that wait forever
 */
public record TraceFailure(String kind, String message, List<Integer> events) {
  public TraceFailure {
    events = List.copyOf(events);
  }

  /** Class and message; some messages begin with their class. */
  public String text() {
    return message.startsWith(kind + ": ") ? message : kind + ": " + message;
  }
}
