package dev.oriel.it.run;

import java.util.Optional;

/**
 * Post-conditions with a condition, at the ends of launches: only where it is true is anything
 * promised.
 *
 * @param all how often one was looked at, once for each of its claims
 * @param held how often it was true
 */
public record JudgedConditions(long all, long held) {
  public static final JudgedConditions NONE = new JudgedConditions(0, 0);

  JudgedConditions and(JudgedConditions other) {
    return new JudgedConditions(all + other.all, held + other.held);
  }

  /** In words; empty if there is no such post-condition. */
  Optional<String> words() {
    return all == 0
        ? Optional.empty()
        : Optional.of(
            "conditions of post-conditions: %d of %d were true, the others promise nothing"
                .formatted(held, all));
  }
}
