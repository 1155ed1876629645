package dev.oriel.sim.trial;

import dev.oriel.domain.binding.InputWords;
import dev.oriel.domain.binding.PassedWords;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Verdict;
import dev.oriel.sim.code.WorldCode;
import dev.oriel.sim.engine.EngineRequirements;
import dev.oriel.sim.machine.Simulation;
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
import java.util.Set;
import java.util.TreeSet;

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

  /**
   * The verdict of one strategy. The one that explores every order of synchronisation also tries
   * other input words, where lanes read some.
   */
  Verdict check(Form form, Strategy strategy, DetectorSet detectors) {
    Checker checker = new Checker(strategy, budget, seed, settings(launches, detectors));
    return (strategy == Strategy.SYNCHRONISATION ? checker.drawing() : checker)
        .check(bind(form), topology);
  }

  /** The inputs of which words decide what lanes of the form do. Only some values are tried. */
  public Set<String> wordsOf(Form form) {
    Set<String> buffers = new TreeSet<>(InputWords.buffers(bind(form)));
    buffers.addAll(PassedWords.of(form).keySet());
    return buffers;
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
    return full(form, 0);
  }

  /** The same with another draw of input words. */
  ProgramOutcomes full(Form form, long draw) {
    return ProgramOutcomes.of(
        bind(form), topology, settings(fullLaunches, DetectorSet.ALL).drawing(draw), full, true);
  }

  /** How many draws give each input word that the form's lanes read every value that matters. */
  int draws(Form form) {
    Program program = bind(form);
    return new Simulation(
            program,
            topology,
            EngineRequirements.lower(program, topology, topology.kinds()),
            settings(fullLaunches, DetectorSet.ALL))
        .roundOfDraws();
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
