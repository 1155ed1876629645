package dev.oriel.domain.program;

/** A name that a post-condition ranges over, and its values. */
public sealed interface EnsureBinder {
  /** The name that the rest of the post-condition uses. */
  String name();

  /** Every one of those ranks. */
  record Rank(String name, Peers over) implements EnsureBinder {}

  /** The numbers from 0 to {@code count} - 1, known at binding. */
  record Turn(String name, Expr count) implements EnsureBinder {}

  /**
   * A word of {@code width} bytes of one rank's input, with its initial value. The caller who fills
   * the input must keep it at most {@code most}; generated inputs do so.
   */
  record Word(String name, Region word, int width, Expr most) implements EnsureBinder {}
}
