package dev.oriel.ibverbs.post;

/**
 * What one queue carries from launch to launch.
 *
 * @param posted how many requests it has had
 * @param reading whether a read may still be on its way
 * @param adding whether an atomic may still be on its way
 */
public record QueueState(long posted, boolean reading, boolean adding) {
  /** Of a queue that nothing was posted to. */
  public static final QueueState NEW = new QueueState(0, false, false);

  /**
   * Whether a request must wait for earlier ones to complete. A reliable queue executes requests in
   * order, with one exception: what follows a read or an atomic may overtake its answer. A write
   * then shows at the peer before the answer is here, so it waits; an atomic keeps its place behind
   * atomics, but a read's bytes must have arrived before any signal says so.
   */
  public boolean fences(Effect next) {
    return switch (next) {
      case WRITES -> reading || adding;
      case CHANGES -> reading;
      case READS -> false;
    };
  }

  /**
   * A fenced request leaves nothing earlier on its way; one that is not had nothing to wait for.
   */
  public QueueState after(Effect next) {
    return switch (next) {
      case WRITES -> new QueueState(posted + 1, false, false);
      case CHANGES -> new QueueState(posted + 1, false, true);
      case READS -> new QueueState(posted + 1, true, adding);
    };
  }

  /** After a request without bytes, which waits for nothing and which nothing waits for. */
  public QueueState afterNothing() {
    return new QueueState(posted + 1, reading, adding);
  }

  /** Everything that was posted is complete. */
  public QueueState awaited() {
    return new QueueState(posted, false, false);
  }
}
