package dev.oriel.domain.persistent;

import java.util.Optional;

/**
 * Whether the ranks still agree on the number of calls of each request. A failed call may have
 * signalled only some peers, and the following calls depend on it; so no request continues until
 * all ranks have agreed to start anew.
 */
public final class CallCountAgreement {
  private Optional<String> broken = Optional.empty();
  private long generation;

  /** Records that a call has failed; the first cause wins. */
  public void fail(String cause) {
    broken = broken.or(() -> Optional.of(cause));
  }

  /** Why no request continues, if so. */
  public Optional<String> broken() {
    return broken;
  }

  /** Starts anew on all ranks, with every count at 0. */
  public void renew() {
    broken = Optional.empty();
    generation++;
  }

  /** The number of fresh starts. */
  public long generation() {
    return generation;
  }
}
