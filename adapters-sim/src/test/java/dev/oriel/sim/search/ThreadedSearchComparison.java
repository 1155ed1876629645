package dev.oriel.sim.search;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.lowering.FormLowering;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.machine.finding.Finding;
import dev.oriel.sim.machine.settings.DetectorSet;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.replay.TimeoutPolicy;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** All executions of one program, searched on one thread, on two and on three. */
public final class ThreadedSearchComparison implements UnaryOperator<String> {
  private static final int MAX_STATES = 5_000;
  private static final int MAX_DEPTH = 1_000;
  private static final int MOST = 3;

  /** The first difference, empty if there is none; and what several threads could search. */
  public record Comparison(String difference, boolean together, boolean complete, long states) {}

  /**
   * The argument is a line with shape and profile, then a text; the result is the difference, or
   * empty.
   */
  @Override
  public String apply(String program) {
    return compare(program).difference();
  }

  /** Compares the searches of a program, without a limit of states and with one that just fits. */
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
    long states = MAX_STATES;
    boolean together = false;
    boolean complete = false;
    long all = 0;
    for (int limit = 0; limit < 2; limit++) {
      Budget budget = new Budget(1, states, MAX_DEPTH, Long.MAX_VALUE);
      Simulation simulation = simulation(bound, topology, settings);
      Counts one =
          Counts.of(simulation, end -> new SystematicSearch(simulation, true, budget, end));
      for (int count = 2; count <= MOST; count++) {
        StartedThreads threads = new StartedThreads();
        SearchThreads several = new SearchThreads(count, threads);
        Simulation other = simulation(bound, topology, settings);
        ThreadedSearch[] search = new ThreadedSearch[1];
        Counts found =
            Counts.of(
                other,
                end -> {
                  search[0] = new ThreadedSearch(other, budget, several, end);
                  return search[0];
                });
        threads.ended();
        if (!one.equals(found)) {
          return new Comparison(
              "one %s%nof %d threads %s".formatted(one, count, found), true, false, 0);
        }
        together |= search[0].together();
      }
      if (limit == 0) {
        all = one.states;
        complete = one.cut.isEmpty() && one.found.isEmpty();
      }
      states = Math.max(1, all);
    }
    return new Comparison("", together, complete, all);
  }

  /** What a search reports. */
  private record Counts(
      long states,
      long steps,
      long executions,
      boolean cuts,
      String cut,
      String found,
      String path) {
    static Counts of(
        Simulation simulation, Function<Predicate<Optional<Finding>>, ExhaustiveSearch> searches) {
      StringBuilder found = new StringBuilder();
      ExhaustiveSearch search =
          searches.apply(finding -> {
            finding.ifPresent(found::append);
            return finding.isEmpty();
          });
      search.run();
      return new Counts(
          search.states(),
          search.steps(),
          search.executions(),
          simulation.anyCut(),
          search.cut().map(SearchLimit::name).orElse(""),
          found.toString(),
          found.isEmpty() ? "" : Arrays.toString(search.path()));
    }
  }

  private static Simulation simulation(
      Program program, Topology topology, ExecutionSettings settings) {
    return new Simulation(
        program, topology, FormLowering.lower(program.form(), topology.kinds()), settings);
  }
}
