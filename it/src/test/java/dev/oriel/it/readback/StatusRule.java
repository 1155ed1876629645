package dev.oriel.it.readback;

import dev.oriel.it.readback.Event.Kind;
import java.util.HashSet;
import java.util.Set;

/**
 * Rule <i>status</i>: no step asks whether an earlier launch of the rank gave up, so this rule
 * does. Every thread loads the rank's status once, before it does anything that others observe.
 */
final class StatusRule {
  private final long status;
  private final Set<Integer> loaded = new HashSet<>();
  private final Set<Integer> begun = new HashSet<>();

  StatusRule(long status) {
    this.status = status;
  }

  /** Whether the event is that load; events arrive in the order of each thread. */
  boolean takes(Event e) {
    if (e.at(status, Long.BYTES) && e.is(Kind.LOAD, "relaxed", "gpu")) {
      return !begun.contains(e.thread()) && loaded.add(e.thread());
    }
    boolean observed =
        switch (e.kind()) {
          case STORE, ADD, FETCH_ADD, SWAP, EXCHANGE -> !e.scope().contains("shared");
          case LOAD, FENCE, WARP -> false;
        };
    if (observed) {
      begun.add(e.thread());
    }
    return false;
  }

  /** At the lane's end. */
  void check(int threads) {
    if (loaded.size() != threads) {
      throw new Mismatch(
          "no line before the first step asks, in every thread, whether an earlier launch gave up: asked=%d, threads=%d"
              .formatted(loaded.size(), threads));
    }
  }
}
