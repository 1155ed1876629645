package dev.oriel.sim.search;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.engine.EngineRequirements;
import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.machine.finding.Finding;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * All possible outcomes of a program: the kinds of findings, and for each rank and launch every
 * content of the outputs that the caller may read.
 *
 * @param outputs digests of a rank, a launch and its outputs at the end
 * @param exhausted whether every state was visited, and every transition between states
 */
public record ProgramOutcomes(
    Set<Finding.Kind> findings, Set<Long> outputs, boolean exhausted, long states) {

  /** Bytes of memory per retained output digest. */
  private static final long OUTPUT = 80;

  public ProgramOutcomes {
    findings = Set.copyOf(findings);
    outputs = Set.copyOf(outputs);
  }

  /**
   * Explores all executions, or as many as the budget allows: every order of every step if {@code
   * full}, else every order of synchronisation.
   */
  public static ProgramOutcomes of(
      Program program, Topology topology, ExecutionSettings settings, Budget budget, boolean full) {
    LoweredForm lowered = EngineRequirements.lower(program, topology, topology.kinds());
    Simulation simulation = new Simulation(program, topology, lowered, settings);
    Set<Finding.Kind> findings = EnumSet.noneOf(Finding.Kind.class);
    Set<Long> outputs = new HashSet<>();
    simulation.collect(outputs::add);
    List<String> bounds = new ArrayList<>();
    SystematicSearch search =
        new SystematicSearch(
            simulation,
            full,
            budget,
            finding -> {
              finding.ifPresent(f -> findings.add(f.kind()));
              boolean room = OUTPUT * outputs.size() <= budget.memory();
              if (!room) {
                bounds.add("memory");
              }
              return room;
            });
    new MemoryGuard(simulation).run(search::run, search::steps, () -> "", bounds);
    boolean whole =
        bounds.isEmpty()
            && search.cut().isEmpty()
            && !simulation.sumsCut()
            && !simulation.unorderedCut()
            && !simulation.packetsCut(full);
    return new ProgramOutcomes(findings, outputs, whole, search.states());
  }

  /**
   * Whether they certainly differ: in findings, or by an output of one that the other lacks
   * although its search was complete. If a search was cut, a missing output says nothing.
   */
  public boolean differs(ProgramOutcomes other) {
    return !findings.equals(other.findings) || exceeds(other) || other.exceeds(this);
  }

  private boolean exceeds(ProgramOutcomes other) {
    return other.exhausted && !other.outputs.containsAll(outputs);
  }
}
