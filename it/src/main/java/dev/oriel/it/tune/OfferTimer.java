package dev.oriel.it.tune;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.tuning.CandidateProgram;
import dev.oriel.domain.tuning.CandidateRanking;
import dev.oriel.domain.tuning.CandidateRanking.Offer;
import dev.oriel.domain.tuning.CandidateRanking.Refusal;
import dev.oriel.domain.tuning.TuningKey;
import dev.oriel.it.run.GpuTimer;
import dev.oriel.it.run.LaunchExercise;
import dev.oriel.ports.MachineException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Replaces predicted times by measured ones. Each process of a world ranks the same offers in the
 * same order, since predictions depend only on the key.
 *
 * @param time the nanoseconds of a call; it checks the results first
 */
record OfferTimer(Timer time, List<CandidateProgram> candidates) {

  /** How the reason of an offer begins that could run and was not measured. */
  static final String NOT_MEASURED = "not measured";

  /** Predictions err by less than that, so slower ones are not measured. */
  private static final int SLOWEST = 4;

  /** Measures a program. */
  @FunctionalInterface
  interface Timer {
    /**
     * The nanoseconds of one of many calls on the slowest GPU.
     *
     * @param name of the program in an error
     */
    double nanos(String name, Program program, TuningKey key);

    /** The median of the replays of a graph. */
    static Timer of(GpuTimer timer) {
      return (name, program, key) ->
          1e3 * timer.time(name, program, timer.callsOf(key.bytes())).median();
    }
  }

  /** The measured times of the offers that may be the fastest, for each key. */
  SortedMap<TuningKey, CandidateRanking> fastest(
      SortedMap<TuningKey, CandidateRanking> predicted, Topology topology) {
    SortedMap<TuningKey, CandidateRanking> measured = new TreeMap<>(predicted);
    measured.replaceAll((key, ranking) ->
        measured(
            key,
            topology,
            ranking,
            offer -> offer.nanos() <= SLOWEST * ranking.best().nanos(),
            NOT_MEASURED
                + ": predicted to take more than %d times the fastest".formatted(SLOWEST)));
    return measured;
  }

  /**
   * The measured times of those offers; two with the same text are measured once.
   *
   * @param which the offers to measure; the others are refused with that reason
   */
  CandidateRanking measured(
      TuningKey key,
      Topology topology,
      CandidateRanking predicted,
      Predicate<Offer> which,
      String otherwise) {
    List<Offer> offers = new ArrayList<>();
    List<Refusal> refusals = new ArrayList<>(predicted.refusals());
    Set<String> known = new HashSet<>();
    for (Offer offer : predicted.offers()) {
      CandidateProgram candidate = offer.choice().among(candidates);
      String digest = candidate.form(key.element(), offer.choice().lanes()).digest();
      Program program = candidate.bind(key, topology, offer.choice().lanes());
      Optional<String> refusal =
          which.test(offer) ? LaunchExercise.tooLarge(program) : Optional.of(otherwise);
      if (refusal.isPresent()) {
        refusals.add(new Refusal(offer.choice(), offer.origin(), refusal.get()));
      } else if (known.add(digest)) {
        double nanos = time.nanos(offer.choice().label(), program, key);
        offers.add(new Offer(offer.choice(), offer.origin(), nanos));
      }
    }
    if (offers.isEmpty()) {
      throw new MachineException(
          "nothing to measure: %s; the first reason: %s"
              .formatted(key.text(), refusals.getFirst().reason()));
    }
    return new CandidateRanking(offers, refusals);
  }
}
