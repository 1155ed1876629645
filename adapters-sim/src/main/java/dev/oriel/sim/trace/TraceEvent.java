package dev.oriel.sim.trace;

/**
 * One event of one actor.
 *
 * @param time virtual nanoseconds, or the number of the step
 * @param actor index of the actor in its recording
 * @param launch the number of the program's launch, from 0
 * @param text one line: the operation, as its program spells it
 * @param cause index of the event whose effect this one observes or continues; {@link #NO_CAUSE}
 *     for none
 * @param detail more facts, of any number of lines; may be empty
 */
public record TraceEvent(
    long time, int actor, int launch, TraceEventKind kind, String text, int cause, String detail) {
  /** The cause of an event that depends on no other event. */
  public static final int NO_CAUSE = -1;
}
