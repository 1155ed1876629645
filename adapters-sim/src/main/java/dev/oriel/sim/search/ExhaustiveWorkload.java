package dev.oriel.sim.search;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.MachineException;
import dev.oriel.sim.engine.EngineRequirements;
import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.machine.settings.ExecutionSettings;

/** A search of every order of every step of a correct program as a measure of work. */
public final class ExhaustiveWorkload {
  private final Simulation simulation;

  /**
   * The work of one search.
   *
   * @param complete whether the search ended before the limit of states
   * @param stackBytes bytes of each state to which the search may backtrack
   * @param visitedBytes bytes of the table of visited states for each visited state
   * @param visitedMade bytes of that table and of all smaller ones that it replaced
   * @param sharedBytes bytes that saved states share, whatever their number
   */
  public record Work(
      long states,
      long steps,
      boolean complete,
      double stackBytes,
      double visitedBytes,
      long visitedMade,
      long sharedBytes) {}

  public ExhaustiveWorkload(Program program, Topology topology, ExecutionSettings settings) {
    LoweredForm lowered = EngineRequirements.lower(program, topology, topology.kinds());
    simulation = new Simulation(program, topology, lowered, settings);
  }

  /** Searches at most so many states. */
  public Work run(long states) {
    Budget budget = new Budget(1, states, Budget.DEFAULT.steps(), Long.MAX_VALUE);
    SystematicSearch search =
        new SystematicSearch(
            simulation,
            true,
            budget,
            end -> {
              end.ifPresent(finding -> {
                throw new MachineException("a program to measure with is broken: " + finding);
              });
              return true;
            });
    search.run();
    return new Work(
        search.states(),
        search.steps(),
        search.cut().isEmpty(),
        search.stackBytes(),
        search.visitedBytes(),
        search.visitedMade(),
        search.sharedBytes());
  }
}
