package dev.oriel.ports.persistent;

/** The result of a call whose range may be unsuitable for persistent calls. */
public sealed interface Answer {

  /** It has run, as call number {@code epoch} of its request. */
  record Done(long epoch) implements Answer {}

  /** It was recorded, and runs with every replay of the graph. */
  record Recorded() implements Answer {}

  /**
   * No rank did anything; the caller may use another algorithm.
   *
   * @param reason why the range is unsuitable
   */
  record Elsewhere(String reason) implements Answer {}
}
