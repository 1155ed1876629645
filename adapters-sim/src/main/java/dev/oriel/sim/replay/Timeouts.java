package dev.oriel.sim.replay;

import java.util.Locale;

/** When a wait of an execution may end by its deadline. */
public enum Timeouts {
  /** Never: whatever does not come is a deadlock. */
  NEVER,
  /** Only when nothing else can happen any more. */
  QUIESCENCE,
  /** At any time, also when what is awaited is about to come. */
  ANY;

  /** How a token writes it. */
  public String spelling() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The policy of that spelling. */
  static Timeouts parse(String text) {
    for (Timeouts policy : values()) {
      if (policy.spelling().equals(text)) {
        return policy;
      }
    }
    throw new ReplayException(
        "unknown timeouts: found=%s; use never, quiescence or any"
            .formatted(ReplayException.shown(text)));
  }
}
