package dev.oriel.domain.program;

/** A name that stands before what a post-condition states, and what it runs over. */
public sealed interface Given {
  /** The name that the rest of the post-condition uses. */
  String name();

  /** Every one of those ranks. */
  record Rank(String name, Peers over) implements Given {}

  /** The numbers from 0 to {@code count} - 1, known at binding. */
  record Turn(String name, Expr count) implements Given {}

  /**
   * A word of {@code width} bytes of one rank's input, as it was at the start. That it is at most
   * {@code most} is up to the caller, who fills the input; so whoever draws inputs draws it so.
   */
  record Word(String name, Region word, int width, Expr most) implements Given {}
}
