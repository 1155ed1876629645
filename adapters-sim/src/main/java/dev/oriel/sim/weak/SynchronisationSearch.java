package dev.oriel.sim.weak;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.ProgramRunner;
import dev.oriel.ports.Verdict;
import dev.oriel.ports.Verdict.Violation;
import dev.oriel.sim.engine.Requirements;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Executes every way in which a program's synchronisation can go, depth first, and checks each for
 * races, overwritten packets, narrow scopes, second writers, deadlocks and broken promises.
 *
 * <p>Where every word has one writer and every awaited value stays, there is exactly one way.
 */
public final class SynchronisationSearch implements ProgramRunner {
  /** What is modelled, and what is not. */
  static final String MODEL =
      "happens-before: PTX scopes and release chains, block leader and workers, strict queues in order,"
          + " completion is not visibility, packets whole at 8 bytes";

  /** Steps of one execution, unless said otherwise: some seconds of work. */
  public static final int MAX_STEPS = 5_000_000;

  private final int maxExecutions;
  private final int launches;
  private final int maxSteps;

  public SynchronisationSearch(int maxExecutions, int launches) {
    this(maxExecutions, launches, MAX_STEPS);
  }

  /** A search whose executions end, unjudged, after that many steps. */
  public SynchronisationSearch(int maxExecutions, int launches, int maxSteps) {
    this.maxExecutions = maxExecutions;
    this.launches = launches;
    this.maxSteps = maxSteps;
  }

  /** Replays a prefix of choices, then takes the first option of each. */
  private static final class Path implements Choices {
    private final List<int[]> taken = new ArrayList<>();
    private int depth;

    @Override
    public int choose(int options) {
      if (depth == taken.size()) {
        taken.add(new int[] {0, options});
      }
      return taken.get(depth++)[0];
    }

    /** Goes to the next path; false when all were taken. */
    boolean advance() {
      depth = 0;
      while (!taken.isEmpty()) {
        int[] last = taken.getLast();
        if (++last[0] < last[1]) {
          return true;
        }
        taken.removeLast();
      }
      return false;
    }
  }

  @Override
  public Verdict check(Program program, Topology topology) {
    LoweredForm lowered = Requirements.lower(program, topology, topology.kinds());
    Model model = new Model(program, topology, lowered);
    Path path = new Path();
    Set<String> bounds = new LinkedHashSet<>();
    Optional<Violation> violation = Optional.empty();
    long executions = 0;
    do {
      if (executions == maxExecutions) {
        bounds.add("executions: stopped at " + maxExecutions);
        break;
      }
      Execution execution = new Execution(model, path, launches, maxSteps);
      violation = execution.run().map(f -> new Violation(f.kind(), f.message(), execution.trace()));
      executions++;
      bounds.addAll(execution.bounds());
      if (execution.cutOff()) {
        bounds.add("steps: execution " + executions + " stopped at " + maxSteps);
      }
    } while (violation.isEmpty() && path.advance());
    return new Verdict(
        program.digest(),
        lowered.digest(),
        MODEL,
        "synchronisation",
        launches,
        executions,
        0,
        List.copyOf(bounds),
        violation);
  }
}
