package dev.oriel.sim.trace;

/**
 * Something that happened to one actor.
 *
 * @param time virtual nanoseconds, or the number of the step
 * @param actor index of the actor in its recording
 * @param launch which launch of the program, from 0
 * @param text one line: the operation, as its program spells it
 * @param cause index of the event whose effect this one observes or continues; {@link #NO_CAUSE}
 *     for none
 * @param detail more facts, of any number of lines; may be empty
 */
public record Event(
    long time, int actor, int launch, Kind kind, String text, int cause, String detail) {
  /** The cause of an event that needs nobody else's. */
  public static final int NO_CAUSE = -1;
}
