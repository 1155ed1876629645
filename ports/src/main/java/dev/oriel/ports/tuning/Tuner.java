package dev.oriel.ports.tuning;

import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.tuning.CandidateProgram;
import dev.oriel.domain.tuning.CostModel;
import dev.oriel.domain.tuning.LaneResidency;
import dev.oriel.domain.tuning.ProgramChoice;
import dev.oriel.domain.tuning.ProgramChooser;
import dev.oriel.domain.tuning.TuningKey;
import dev.oriel.ports.TuningStore;
import java.util.List;
import java.util.Optional;

/**
 * Chooses a configuration: the stored one of a key if there is one, otherwise the cheapest by cost,
 * which it stores. For a {@linkplain TuningKey#measuredOn measured} key it stores nothing, since
 * its choice is not measured.
 *
 * <p>A choice by cost is the same on every rank. A stored one may differ, for instance if it was
 * measured, so ranks whose stores may differ read on one rank and share {@link ProgramChoice#text}.
 */
public final class Tuner {
  private final TuningStore store;
  private final ProgramChooser chooser;

  /** A tuner that remembers in {@code store} and weighs by {@code cost}. */
  public Tuner(TuningStore store, CostModel cost) {
    this.store = store;
    this.chooser = new ProgramChooser(cost);
  }

  /**
   * The result of a question.
   *
   * @param kept whether the choice was found in the store
   * @param ignored why a stored choice was not used, if so
   */
  public record Decision(ProgramChoice choice, boolean kept, Optional<String> ignored) {}

  /**
   * The choice for that key.
   *
   * @throws ProgramException if no candidate can run
   * @throws dev.oriel.ports.MachineException if the store cannot be read or written
   */
  public Decision choose(TuningKey key, Topology topology, List<CandidateProgram> candidates) {
    Optional<String> found = store.find(key.text());
    Optional<String> ignored = Optional.empty();
    if (found.isPresent()) {
      try {
        ProgramChoice choice = ProgramChoice.parse(found.get(), candidates);
        LaneResidency.check(choice.among(candidates).bind(key, topology, choice.lanes()));
        return new Decision(choice, true, Optional.empty());
      } catch (ProgramException e) {
        ignored = Optional.of(String.valueOf(e.getMessage()));
      }
    }
    ProgramChoice choice = chooser.rank(key, topology, candidates).best().choice();
    if (!key.isMeasured()) {
      store.keep(key.text(), choice.text());
    }
    return new Decision(choice, false, ignored);
  }
}
