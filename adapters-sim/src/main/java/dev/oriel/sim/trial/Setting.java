package dev.oriel.sim.trial;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Verdict;
import dev.oriel.sim.code.WorldCode;
import dev.oriel.sim.engine.Requirements;
import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.machine.finding.Story;
import dev.oriel.sim.machine.terms.Detectors;
import dev.oriel.sim.machine.terms.Profile;
import dev.oriel.sim.replay.Timeouts;
import dev.oriel.sim.search.Budget;
import dev.oriel.sim.search.Checker;
import dev.oriel.sim.search.Outcomes;
import dev.oriel.sim.search.Strategy;
import java.util.Map;

/**
 * What forms of one trial have in common: where they run, what with, and how far to look.
 *
 * @param fullLaunches how many launches are looked at in full
 * @param full how far to look at every order of every step, which takes far more states
 * @param past how many launches, as an unsigned number, have been before
 */
public record Setting(
    Topology topology,
    Map<String, Long> params,
    Profile profile,
    int launches,
    int fullLaunches,
    Budget budget,
    Budget full,
    long seed,
    long past) {

  public Setting {
    params = Map.copyOf(params);
  }

  /** From the first launch on. */
  public Setting(
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
  Setting after(long launchesBefore) {
    return new Setting(
        topology, params, profile, launches, fullLaunches, budget, full, seed, launchesBefore);
  }

  /** The form in this world. */
  Program bind(Form form) {
    return Program.bind(form, topology.world(), params);
  }

  /** What one strategy says. */
  Verdict check(Form form, Strategy strategy, Detectors detectors) {
    return new Checker(strategy, budget, seed, terms(launches, detectors))
        .check(bind(form), topology);
  }

  /** The instructions that it is in this world. */
  WorldCode code(Form form) {
    Program program = bind(form);
    return new WorldCode(program, Requirements.lower(program, topology, topology.kinds()));
  }

  /** The execution in which the first agent that can always goes on. */
  Story story(Form form) {
    return new Checker(Strategy.FIFO, budget, seed, terms(launches, Detectors.ALL))
        .story(bind(form), topology);
  }

  /** What the form can come to at all, with every detector on, in the first few launches. */
  Outcomes full(Form form) {
    return Outcomes.of(bind(form), topology, terms(fullLaunches, Detectors.ALL), full, true);
  }

  /** What it can come to by every way of synchronisation. */
  Outcomes synchronised(Form form) {
    return Outcomes.of(bind(form), topology, terms(launches, Detectors.ALL), budget, false);
  }

  private Simulation.Terms terms(int count, Detectors detectors) {
    return new Simulation.Terms(profile, count, detectors, Timeouts.NEVER).after(past);
  }
}
