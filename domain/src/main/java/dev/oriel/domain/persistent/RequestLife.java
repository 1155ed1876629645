package dev.oriel.domain.persistent;

/**
 * The life cycle of a request. Its epoch counts the calls that were begun, eager and replayed ones
 * alike. Every rank makes them in the same order, so the numbers agree without communication.
 */
public final class RequestLife {
  private final RequestKey key;
  private final CallCountAgreement accord;
  private long generation;
  private long epoch;
  private boolean running;
  private boolean gone;

  public RequestLife(RequestKey key, CallCountAgreement accord) {
    this.key = key;
    this.accord = accord;
    generation = accord.generation();
  }

  /**
   * Begins a call and returns its number, from 1 after each reset.
   *
   * @throws IllegalStateException if the request is destroyed or in a call, or a call has failed
   */
  public long begin() {
    if (gone) {
      throw new IllegalStateException(
          "request is destroyed: %s; record or call anew".formatted(key));
    }
    accord
        .broken()
        .ifPresent(cause -> {
          throw new IllegalStateException(
              "a call has failed: request=(%s), cause=%s; reset on every rank"
                  .formatted(key, cause));
        });
    if (running) {
      throw new IllegalStateException(
          "request is in a call: %s; wait for its end, or use another stream".formatted(key));
    }
    if (generation != accord.generation()) {
      generation = accord.generation();
      epoch = 0;
    }
    running = true;
    return ++epoch;
  }

  /** Ends the call. */
  public void end() {
    running = false;
  }

  /** Ends the call as failed. */
  public void fail(String cause) {
    running = false;
    accord.fail(cause);
  }

  /** Destroys the request for ever. */
  public void destroy() {
    gone = true;
  }
}
