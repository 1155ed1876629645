package dev.oriel.sim.search;

import dev.oriel.ports.MachineException;
import dev.oriel.sim.levels.SearchCuts;
import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.machine.finding.Finding;
import dev.oriel.sim.machine.finding.MemoFullException;
import dev.oriel.sim.machine.finding.StateCapacityException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * Explores every order of every step on several threads, see {@link SearchWorker}. A limit of one
 * thread counts as that of several only if it is one of time, which ends both searches together:
 * how far one thread comes before another limit depends on its order.
 */
final class ThreadedSearch extends JointSearch {
  /** The part of the memory that the versions of all threads may take. */
  private static final int VERSIONS = 2;

  private final Simulation simulation;
  private final Budget budget;
  private final SearchThreads threads;
  private boolean together;

  ThreadedSearch(
      Simulation simulation,
      Budget budget,
      SearchThreads threads,
      Predicate<Optional<Finding>> end) {
    super(simulation, budget, end);
    this.simulation = simulation;
    this.budget = budget;
    this.threads = threads;
  }

  @Override
  boolean together() {
    return together;
  }

  @Override
  Budget confirming(Result joint) {
    return budget;
  }

  @Override
  Result search(BooleanSupplier over) {
    try {
      return searched(over);
    } catch (MachineException e) {
      // As without memory: one thread needs less.
      return Result.NONE;
    }
  }

  /** Searches with several threads, with more room each time that a state needs it. */
  private Result searched(BooleanSupplier over) {
    Simulation first = simulation.another();
    long bytes = budget.memory() / VERSIONS / threads.count();
    while (first.versions(bytes)) {
      together = true;
      SharedStates seen = new SharedStates();
      SharedLimits limits = new SharedLimits(budget, over, seen, threads.count());
      List<SearchWorker> workers = new ArrayList<>();
      boolean complete = run(first, bytes, seen, limits, workers);
      Optional<Simulation> grown = Optional.empty();
      boolean gaveUp = false;
      for (SearchWorker worker : workers) {
        switch (worker.thrown()) {
          case null -> {}
          case StateCapacityException _ -> grown = Optional.of(worker.simulation());
          case MemoFullException _ -> gaveUp = true;
          case OutOfMemoryError _ -> gaveUp = true;
          case MachineException _ -> gaveUp = true;
          case RuntimeException e -> throw e;
          case Error e -> throw e;
          case Throwable e -> throw new AssertionError(e);
        }
      }
      Result reached = result(complete, seen, workers);
      if (grown.isEmpty() || gaveUp || reached.violation().isPresent()) {
        return reached;
      }
      first = grown.get().another();
    }
    return Result.NONE;
  }

  /** Runs the workers, the first on this thread; whether they explored everything. */
  private boolean run(
      Simulation first,
      long bytes,
      SharedStates seen,
      SharedLimits limits,
      List<SearchWorker> workers) {
    BranchQueue queue = new BranchQueue();
    for (int i = 0; i < threads.count(); i++) {
      Simulation own = i == 0 ? first : first.another();
      own.versions(bytes);
      workers.add(new SearchWorker(i, own, queue, seen, limits));
    }
    queue.give(SearchBranch.ALL);
    boolean complete = false;
    boolean ran = false;
    try {
      for (SearchWorker worker : workers.subList(1, workers.size())) {
        threads.executor().execute(worker);
      }
      workers.getFirst().run();
      ran = true;
    } finally {
      if (!ran) {
        // The executor refused a worker; those that it runs end at their next step.
        queue.stop();
      }
      complete = queue.close();
    }
    return complete;
  }

  private Result result(boolean complete, SharedStates seen, List<SearchWorker> workers) {
    Optional<Violation> violation = Optional.empty();
    Optional<SearchLimit> limit = Optional.empty();
    SearchCuts cuts = SearchCuts.NONE;
    long executions = 0;
    long steps = 0;
    for (SearchWorker worker : workers) {
      executions += worker.executions();
      steps += worker.steps();
      cuts = cuts.and(cuts(worker.simulation(), true));
      if (worker.limit() == SearchLimit.TIME) {
        limit = Optional.of(SearchLimit.TIME);
      }
      Finding found = worker.found();
      if (found != null && violation.isEmpty()) {
        violation = Optional.of(new Violation(found, worker.path()));
      }
    }
    return new Result(
        complete && !cuts.any(), executions, seen.count(), steps, limit, violation, cuts);
  }
}
