package dev.oriel.domain.persistent;

import java.util.Optional;

/**
 * Whether the ranks still agree on how many calls each request has had. A call that failed may have
 * told some peers and not others, and which requests are called next hangs on it; so nothing goes
 * on before all ranks have agreed to begin anew.
 */
public final class Accord {
  private Optional<String> broken = Optional.empty();
  private long generation;

  /** A call has failed; the first cause counts. */
  public void fail(String cause) {
    broken = broken.or(() -> Optional.of(cause));
  }

  /** Why nothing goes on, if nothing does. */
  public Optional<String> broken() {
    return broken;
  }

  /** All ranks begin anew, and every count at 0. */
  public void renew() {
    broken = Optional.empty();
    generation++;
  }

  /** How often they began anew. */
  public long generation() {
    return generation;
  }
}
