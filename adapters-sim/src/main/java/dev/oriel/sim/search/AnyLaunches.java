package dev.oriel.sim.search;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.MachineException;
import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.machine.finding.Finding;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import dev.oriel.sim.replay.FaultPlan;
import java.util.Optional;

/**
 * A search that covers any number of launches. It lets launches go on, and lets them end after any
 * one. It does not continue from a state that differs from an earlier one only in the number of
 * launches before. Where no other state is left, every launch has been covered.
 *
 * <p>This loses nothing, for three reasons. States that count as one have the same future. A
 * violation takes finitely many steps, and from each state every order of steps is tried that
 * matters: cycles of states change nothing about sleep sets, which are part of a state. A run of
 * exactly so many launches is one in which the decision to end is taken there.
 *
 * <p>Where lanes load words of inputs, each launch has one of a few turns of these words, and the
 * search tries them all after every launch.
 *
 * @param closed whether any number of launches is covered
 * @param why why not; empty if it is
 * @param found the first violation; {@code launch} says in which launch it shows, and {@code draw}
 *     with which input words, see {@link dev.oriel.sim.machine.provenance.InputContents#draw(long,
 *     int)}
 * @param drawn the launches of {@link LaterLaunches}, which are only drawn; 0 if there are none
 */
public record AnyLaunches(
    boolean closed,
    String why,
    Optional<Finding> found,
    int launch,
    long draw,
    long states,
    long steps,
    int drawn) {
  /** The most launches that are explored one after another. */
  private static final int MOST = 32;

  /** States that are explored however large they are. Fewer cover no more than a few launches. */
  private static final int LEAST = 32;

  /** Further launches were not covered for that reason. */
  static AnyLaunches open(String why) {
    return new AnyLaunches(false, why, Optional.empty(), 0, 0, 0, 0, 0);
  }

  /** The same, after executions of so many launches were drawn. */
  AnyLaunches drawing(int launches, long more) {
    return new AnyLaunches(closed, why, found, launch, draw, states, steps + more, launches);
  }

  /** Explores the program within the budget, and as far as it fits into memory. */
  public static AnyLaunches of(
      Program program,
      Topology topology,
      LoweredForm lowered,
      ExecutionSettings settings,
      Budget budget) {
    Simulation simulation =
        SimulationFactory.of(program, topology, lowered, settings.closing(MOST), FaultPlan.NONE);
    try {
      String against = simulation.forgetLaunches();
      Budget enough = budget.working(LEAST * simulation.size());
      return against.isEmpty() ? search(simulation, enough) : open(against);
    } catch (OutOfMemoryError e) {
      return open("they do not fit into the heap (-Xmx)");
    } catch (MachineException e) {
      if (!e.environment()) {
        throw e;
      }
      return open(String.valueOf(e.getMessage()));
    } finally {
      simulation.release();
    }
  }

  private static AnyLaunches search(Simulation simulation, Budget budget) {
    Ends ends = new Ends(simulation);
    ExhaustiveSearch search = ExhaustiveSearch.of(simulation, false, false, budget, ends::goesOn);
    search.run();
    String why =
        search
            .cut()
            .map(limit -> "stopped at %d states by %s".formatted(search.states(), limit))
            .orElseGet(() -> cutReason(simulation));
    boolean closed = ends.found.isEmpty() && why.isEmpty();
    return new AnyLaunches(
        closed, why, ends.found, ends.launch, ends.draw, search.states(), search.steps(), 0);
  }

  /** What executions left out, or why states do not repeat; empty if neither. */
  private static String cutReason(Simulation simulation) {
    if (simulation.sumsCut()) {
      return "some ways to make up an awaited sum were left out";
    }
    if (simulation.packetsCut(false)) {
      return "a packet's flag came to a place that still held it, or a move took a packet that was written in parts";
    }
    return simulation.unorderedCut()
        ? "some requests that overtake one another were taken for ordered"
        : simulation.whyOpen();
  }

  /** Receives the ends of executions until the first violation. */
  private static final class Ends {
    private final Simulation simulation;
    private Optional<Finding> found = Optional.empty();
    private int launch;
    private long draw;

    Ends(Simulation simulation) {
      this.simulation = simulation;
    }

    boolean goesOn(Optional<Finding> finding) {
      found = finding;
      launch = finding.isPresent() ? simulation.launch() : 0;
      draw = finding.isPresent() ? simulation.chosenDraw() : 0;
      return finding.isEmpty();
    }
  }
}
