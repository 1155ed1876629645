package dev.oriel.ports.persistent;

/** The result of a call whose range may be unsuitable for persistent calls. */
public sealed interface CallResult {

  /** It has run, as call number {@code epoch} of its request. */
  record Done(long epoch) implements CallResult {}

  /** It was recorded, and runs with every replay of the graph. */
  record Recorded() implements CallResult {}

  /**
   * No rank did anything; the caller may use another algorithm.
   *
   * @param reason why the range is unsuitable
   */
  record UnsuitableRange(String reason) implements CallResult {}
}
