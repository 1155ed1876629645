package dev.oriel.sim.replay;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.topology.WorldShape;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * One execution of one program as data: everything that determines it. A parameter without a value
 * takes its maximum, so equal executions are equal cases.
 *
 * @param profile names the memory layer that the engine uses
 */
public record Case(
    Form form,
    WorldShape world,
    Map<String, Long> params,
    int launches,
    Timeouts timeouts,
    FaultPlan faults,
    Script choices,
    String profile) {

  public Case {
    TreeMap<String, Long> all = new TreeMap<>();
    form.params().forEach(p -> all.put(p.name(), p.max()));
    all.putAll(params);
    params = Collections.unmodifiableMap(all);
    if (launches < 1) {
      throw new ReplayException("no launch: launches=" + launches + "; use 1 or more");
    }
  }

  /**
   * The program of this execution.
   *
   * @throws dev.oriel.domain.program.ProgramException if it cannot be bound
   */
  public Program program() {
    return Program.bind(form, world.world(), params);
  }

  /** The token that repeats this execution of that program. */
  public Token token(String strategy, long seed) {
    return new Token(
        profile,
        program().digest(),
        world,
        params,
        launches,
        timeouts,
        faults,
        strategy,
        seed,
        choices);
  }

  public Case withForm(Form other) {
    Map<String, Long> fewer = new TreeMap<>(params);
    fewer.keySet().retainAll(other.params().stream().map(Form.Param::name).toList());
    return new Case(other, world, fewer, launches, timeouts, faults, choices, profile);
  }

  /** The case in that world; faults of ranks that it lacks move to its last rank. */
  public Case withWorld(WorldShape other) {
    FaultPlan clamped = faults.clampedTo(other.world());
    return new Case(form, other, params, launches, timeouts, clamped, choices, profile);
  }

  public Case withParams(Map<String, Long> others) {
    return new Case(form, world, others, launches, timeouts, faults, choices, profile);
  }

  public Case withLaunches(int count) {
    return new Case(form, world, params, count, timeouts, faults, choices, profile);
  }

  public Case withFaults(FaultPlan plan) {
    return new Case(form, world, params, launches, timeouts, plan, choices, profile);
  }

  public Case withChoices(Script script) {
    return new Case(form, world, params, launches, timeouts, faults, script, profile);
  }

  public Case withProfile(String other) {
    return new Case(form, world, params, launches, timeouts, faults, choices, other);
  }
}
