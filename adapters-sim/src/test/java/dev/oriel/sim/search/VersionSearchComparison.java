package dev.oriel.sim.search;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.lowering.FormLowering;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.machine.finding.Finding;
import dev.oriel.sim.machine.fingerprint.Fingerprint;
import dev.oriel.sim.machine.settings.DetectorSet;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.replay.TimeoutPolicy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * All executions of one program, searched twice: over states that are saved and digested as
 * versions of their parts, and by plain recursion over whole states, in which every step is
 * executed. States, steps and the ends of executions must be the same, in the same order.
 */
public final class VersionSearchComparison implements UnaryOperator<String> {
  private static final int MAX_STATES = 3_000;
  private static final int MAX_DEPTH = 1_000;

  /** The first difference, empty if there is none; and what was compared. */
  public record Comparison(String difference, long states, boolean versions) {}

  /** The result of one search. */
  private static final class Counts {
    private final List<String> ends = new ArrayList<>();
    private long states;
    private long steps;
    private boolean cut;

    private void end(Optional<Finding> finding) {
      ends.add(finding.map(Finding::toString).orElse("well"));
    }

    @Override
    public String toString() {
      return "states=%d, steps=%d, ends=%s".formatted(states, steps, ends);
    }
  }

  /**
   * The argument is a line with shape and profile, then a text; the result is the difference, or
   * empty.
   */
  @Override
  public String apply(String program) {
    return compare(program).difference();
  }

  /** Compares both searches of a program. */
  @SuppressWarnings("StringSplitter")
  public static Comparison compare(String program) {
    String[] parts = program.split("\n", 2);
    String[] head = parts[0].split(" ");
    Topology topology = Topology.parse(head[0]);
    Program bound = Program.bind(FormParser.parse(parts[1]), topology.world(), Map.of());
    DetectorSet detectors =
        Math.floorMod(parts[1].hashCode(), 2) == 0 ? DetectorSet.RESULTS : DetectorSet.ALL;
    ExecutionSettings settings =
        new ExecutionSettings(Profile.parse(head[1]), 1, detectors, TimeoutPolicy.NEVER);
    Counts whole = new Counts();
    new WholeStates(simulation(bound, topology, settings), whole).run();
    if (whole.cut) {
      return new Comparison("", 0, false);
    }
    Counts found = new Counts();
    SystematicSearch search =
        new SystematicSearch(
            simulation(bound, topology, settings),
            true,
            new Budget(1, MAX_STATES, MAX_DEPTH, Long.MAX_VALUE),
            finding -> {
              found.end(finding);
              return true;
            });
    search.run();
    found.states = search.states();
    found.steps = search.steps();
    // A search that starts over, with more room, reports its first ends again.
    int again = Math.max(0, found.ends.size() - whole.ends.size());
    found.ends.subList(0, again).clear();
    String difference =
        whole.toString().equals(found.toString())
            ? ""
            : "whole %s%nversions %s".formatted(whole, found);
    return new Comparison(difference, whole.states, search.inVersions());
  }

  private static Simulation simulation(
      Program program, Topology topology, ExecutionSettings settings) {
    return new Simulation(
        program, topology, FormLowering.lower(program.form(), topology.kinds()), settings);
  }

  /** The plain recursion. */
  private record WholeStates(Simulation simulation, Counts counts, Set<String> seen) {
    private WholeStates(Simulation simulation, Counts counts) {
      this(simulation, counts, new HashSet<>());
    }

    private void run() {
      simulation.exploring(() -> {
        counts.ends.clear();
        counts.steps = 0;
        seen.clear();
        simulation.restart();
        visit(0);
        counts.states = seen.size();
        return true;
      });
    }

    private void visit(int depth) {
      int enabled = simulation.enabled();
      if (enabled == 0) {
        counts.end(simulation.end());
        return;
      }
      if (!seen.add(print()) || counts.cut) {
        return;
      }
      if (seen.size() > MAX_STATES || depth > MAX_DEPTH) {
        counts.cut = true;
        return;
      }
      simulation.save(depth);
      for (int i = 0; i < enabled; i++) {
        DecisionOdometer inside = new DecisionOdometer();
        do {
          simulation.restore(depth);
          inside.begin();
          counts.steps++;
          Optional<Finding> found = simulation.step(simulation.enabledAt(i), inside);
          counts.cut |= simulation.endless();
          if (found.isPresent()) {
            counts.end(found);
          } else if (!simulation.endless()) {
            visit(depth + 1);
          }
        } while (inside.advance());
      }
    }

    private String print() {
      Fingerprint print = new Fingerprint();
      print.clear();
      simulation.digest(print);
      return print.high() + " " + print.low();
    }
  }
}
