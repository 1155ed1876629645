package dev.oriel.sim.trial;

import dev.oriel.sim.mutate.Mutant;
import dev.oriel.sim.search.Strategy;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * How one mutant fared.
 *
 * @param refusal why it cannot be bound; empty if it can
 * @param checked executions up to the first failure by strategy, all detectors on; those that found
 *     nothing are not there
 * @param valued the same by what results show alone: no race and no misused word is looked for
 * @param wraps whether it shows where the number of launches wraps, and nothing was found before
 * @param finding what the first strategy found
 * @param survivor what is known of a mutant that nothing killed
 * @param nanos how long it took until it was dead
 */
public record Trial(
    Mutant mutant,
    String refusal,
    Map<Strategy, Long> checked,
    Map<Strategy, Long> valued,
    boolean wraps,
    String finding,
    Optional<Survivor> survivor,
    long nanos) {

  public Trial {
    checked = Collections.unmodifiableMap(copy(checked));
    valued = Collections.unmodifiableMap(copy(valued));
  }

  private static Map<Strategy, Long> copy(Map<Strategy, Long> map) {
    Map<Strategy, Long> copy = new EnumMap<>(Strategy.class);
    copy.putAll(map);
    return copy;
  }

  /** Whether binding or some strategy told it from the original. */
  public boolean killed() {
    return !refusal.isEmpty() || !checked.isEmpty() || !valued.isEmpty() || wraps;
  }

  /** Whether it is known to be no mistake at all. */
  public boolean equivalent() {
    return survivor.filter(Survivor::equivalent).isPresent();
  }

  /** Who killed it: binding, the first strategy that did, or nobody. */
  public String killer() {
    if (!refusal.isEmpty()) {
      return "binding";
    }
    if (!checked.isEmpty()) {
      return checked.keySet().iterator().next().spelling();
    }
    if (!valued.isEmpty()) {
      return valued.keySet().iterator().next().spelling() + " by value";
    }
    return wraps ? "a wrap" : survivor.map(Survivor::word).orElse("nobody");
  }
}
