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
public record ExecutionCase(
    Form form,
    WorldShape world,
    Map<String, Long> params,
    int launches,
    TimeoutPolicy timeouts,
    FaultPlan faults,
    ChoiceScript choices,
    String profile) {

  public ExecutionCase {
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
  public ReplayToken token(String strategy, long seed) {
    return new ReplayToken(
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

  public ExecutionCase withForm(Form other) {
    Map<String, Long> fewer = new TreeMap<>(params);
    fewer.keySet().retainAll(other.params().stream().map(Form.Param::name).toList());
    return new ExecutionCase(other, world, fewer, launches, timeouts, faults, choices, profile);
  }

  /** The case in that world; faults of ranks that it lacks move to its last rank. */
  public ExecutionCase withWorld(WorldShape other) {
    FaultPlan clamped = faults.clampedTo(other.world());
    return new ExecutionCase(form, other, params, launches, timeouts, clamped, choices, profile);
  }

  public ExecutionCase withParams(Map<String, Long> others) {
    return new ExecutionCase(form, world, others, launches, timeouts, faults, choices, profile);
  }

  public ExecutionCase withLaunches(int count) {
    return new ExecutionCase(form, world, params, count, timeouts, faults, choices, profile);
  }

  public ExecutionCase withFaults(FaultPlan plan) {
    return new ExecutionCase(form, world, params, launches, timeouts, plan, choices, profile);
  }

  public ExecutionCase withChoices(ChoiceScript script) {
    return new ExecutionCase(form, world, params, launches, timeouts, faults, script, profile);
  }

  public ExecutionCase withProfile(String other) {
    return new ExecutionCase(form, world, params, launches, timeouts, faults, choices, other);
  }
}
