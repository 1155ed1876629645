package dev.oriel.sim.trial;

import dev.oriel.sim.mutate.Mutant;
import dev.oriel.sim.search.Strategy;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * The trial of one mutant.
 *
 * @param refusal why it cannot be bound; empty if it can
 * @param checked executions up to the first failure by strategy, with all detectors; strategies
 *     that found nothing are absent
 * @param valued the same from results alone: without detection of races and misused words
 * @param wraps whether it shows where the number of launches wraps, and nothing was found before
 * @param finding the finding of the first strategy
 * @param survivor the analysis of a mutant that nothing killed
 * @param nanos the time until it was killed
 */
public record MutantTrial(
    Mutant mutant,
    String refusal,
    Map<Strategy, Long> checked,
    Map<Strategy, Long> valued,
    boolean wraps,
    String finding,
    Optional<SurvivorAnalysis> survivor,
    long nanos) {

  public MutantTrial {
    checked = Collections.unmodifiableMap(copy(checked));
    valued = Collections.unmodifiableMap(copy(valued));
  }

  private static Map<Strategy, Long> copy(Map<Strategy, Long> map) {
    Map<Strategy, Long> copy = new EnumMap<>(Strategy.class);
    copy.putAll(map);
    return copy;
  }

  /** Whether binding or some strategy distinguished it from the original. */
  public boolean killed() {
    return !refusal.isEmpty() || !checked.isEmpty() || !valued.isEmpty() || wraps;
  }

  /** Whether it is known to be an equivalent mutant. */
  public boolean equivalent() {
    return survivor.filter(SurvivorAnalysis::equivalent).isPresent();
  }

  /** What killed it: binding, the first successful strategy, or nothing. */
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
    return wraps ? "a wrap" : survivor.map(SurvivorAnalysis::word).orElse("nobody");
  }
}
