package dev.oriel.sim.trial;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Verdict;
import dev.oriel.sim.code.WorldCode;
import dev.oriel.sim.engine.EngineRequirements;
import dev.oriel.sim.machine.finding.ExecutionRecord;
import dev.oriel.sim.machine.settings.DetectorSet;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.replay.TimeoutPolicy;
import dev.oriel.sim.search.Budget;
import dev.oriel.sim.search.Checker;
import dev.oriel.sim.search.ProgramOutcomes;
import dev.oriel.sim.search.Strategy;
import java.util.Map;

/**
 * The common setting of the forms of one trial: where they run, with which parameters, and how far
 * to search.
 *
 * @param fullLaunches the number of launches that are explored in full
 * @param full the budget for every order of every step, which takes far more states
 * @param past the number of earlier launches, unsigned
 */
public record TrialSetting(
    Topology topology,
    Map<String, Long> params,
    Profile profile,
    int launches,
    int fullLaunches,
    Budget budget,
    Budget full,
    long seed,
    long past) {

  public TrialSetting {
    params = Map.copyOf(params);
  }

  /** A setting that begins with the first launch. */
  public TrialSetting(
      Topology topology,
      Map<String, Long> params,
      Profile profile,
      int launches,
      int fullLaunches,
      Budget budget,
      Budget full,
      long seed) {
    this(topology, params, profile, launches, fullLaunches, budget, full, seed, 0);
  }

  /** The same after that many launches. */
  TrialSetting after(long launchesBefore) {
    return new TrialSetting(
        topology, params, profile, launches, fullLaunches, budget, full, seed, launchesBefore);
  }

  /** The form bound to this world. */
  Program bind(Form form) {
    return Program.bind(form, topology.world(), params);
  }

  /** The verdict of one strategy. */
  Verdict check(Form form, Strategy strategy, DetectorSet detectors) {
    return new Checker(strategy, budget, seed, settings(launches, detectors))
        .check(bind(form), topology);
  }

  /** The form's instructions in this world. */
  WorldCode code(Form form) {
    Program program = bind(form);
    return new WorldCode(program, EngineRequirements.lower(program, topology, topology.kinds()));
  }

  /** The execution that always runs the first enabled agent. */
  ExecutionRecord story(Form form) {
    return new Checker(Strategy.FIFO, budget, seed, settings(launches, DetectorSet.ALL))
        .story(bind(form), topology);
  }

  /** All outcomes of the form, with every detector, in the first few launches. */
  ProgramOutcomes full(Form form) {
    return ProgramOutcomes.of(
        bind(form), topology, settings(fullLaunches, DetectorSet.ALL), full, true);
  }

  /** Its outcomes over all orders of synchronisation. */
  ProgramOutcomes synchronised(Form form) {
    return ProgramOutcomes.of(
        bind(form), topology, settings(launches, DetectorSet.ALL), budget, false);
  }

  private ExecutionSettings settings(int count, DetectorSet detectors) {
    return new ExecutionSettings(profile, count, detectors, TimeoutPolicy.NEVER).after(past);
  }
}
