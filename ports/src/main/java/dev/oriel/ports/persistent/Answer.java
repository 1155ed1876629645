package dev.oriel.ports.persistent;

/** What became of a call that may not be for this place. */
public sealed interface Answer {

  /** It has run, as that call of its request. */
  record Done(long epoch) implements Answer {}

  /** It was recorded, and runs with every replay of the graph. */
  record Recorded() implements Answer {}

  /**
   * Nothing was done, on no rank: the caller may take another way.
   *
   * @param reason why it cannot be done here
   */
  record Elsewhere(String reason) implements Answer {}
}
