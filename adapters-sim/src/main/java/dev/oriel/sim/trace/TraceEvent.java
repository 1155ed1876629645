package dev.oriel.sim.trace;

import java.util.Optional;

/**
 * One event of one actor.
 *
 * @param time virtual nanoseconds, or the number of the step
 * @param actor index of the actor in its recording
 * @param launch the number of the program's launch, from 0
 * @param cause index of the event whose effect this one observes or continues; {@link #NO_CAUSE}
 *     for none
 * @param facts what happened, with values
 * @param place the operation of the program that it belongs to, if any
 */
public record TraceEvent(
    long time, int actor, int launch, int cause, StepFacts facts, Optional<Place> place) {
  /** The cause of an event that depends on no other event. */
  public static final int NO_CAUSE = -1;

  /** An operation of a lane, by its number in the order of the text and from 0. */
  public record Place(String lane, int operation) {}

  public TraceEventKind kind() {
    return facts.kind();
  }

  /** The step with its values, in one line. */
  public String text() {
    return TerminalText.line(facts.resolved());
  }
}
