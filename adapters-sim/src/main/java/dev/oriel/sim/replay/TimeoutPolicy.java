package dev.oriel.sim.replay;

import java.util.Locale;

/** When a wait of an execution may end by its deadline. */
public enum TimeoutPolicy {
  /** Never: an awaited value that does not come is a deadlock. */
  NEVER,
  /** Only when nothing else can happen any more. */
  QUIESCENCE,
  /** At any time, even if the awaited value is about to come. */
  ANY;

  /** The spelling in a token. */
  public String spelling() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The policy of that spelling. */
  static TimeoutPolicy parse(String text) {
    for (TimeoutPolicy policy : values()) {
      if (policy.spelling().equals(text)) {
        return policy;
      }
    }
    throw new ReplayException(
        "unknown timeouts: found=%s; use never, quiescence or any"
            .formatted(ReplayException.shown(text)));
  }
}
