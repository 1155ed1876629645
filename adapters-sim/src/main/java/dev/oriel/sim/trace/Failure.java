package dev.oriel.sim.trace;

import java.util.List;

/**
 * What is wrong with a recorded execution.
 *
 * @param kind its class in one word, such as {@code race} or {@code deadlock}
 * @param message what is wrong, facts, what to do
 * @param events the events that it is about: two racing accesses, or whoever waits for ever
 */
public record Failure(String kind, String message, List<Integer> events) {
  public Failure {
    events = List.copyOf(events);
  }

  /** Class and message; some messages begin with their class. */
  public String text() {
    return message.startsWith(kind + ": ") ? message : kind + ": " + message;
  }
}
