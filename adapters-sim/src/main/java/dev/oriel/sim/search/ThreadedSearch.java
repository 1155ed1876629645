package dev.oriel.sim.search;

import dev.oriel.ports.MachineException;
import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.machine.finding.Finding;
import dev.oriel.sim.machine.layout.StateCapacityException;
import dev.oriel.sim.machine.memo.MemoFullException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Explores every order of every step on several threads, with the verdict of one.
 *
 * <p>Where the threads explore everything and find nothing, the counts are those of one thread, see
 * {@link SearchWorker}. In any other case one thread searches anew and its result counts, since
 * only its order decides which violation comes first, and how far a search comes before a limit.
 * Two results are those of several threads even then. The limit of time ends both searches
 * together. And a violation is reported although a limit stopped one thread before it.
 *
 * <p>The threads search over versions of parts, whose digests depend on their contents alone. Where
 * the parts of a program's steps are not known, one thread searches.
 */
final class ThreadedSearch implements ExhaustiveSearch {
  /** The part of the memory that the versions of all threads may take. */
  private static final int VERSIONS = 2;

  private final Simulation simulation;
  private final Budget budget;
  private final SearchThreads threads;
  private final Predicate<Optional<Finding>> end;
  private boolean together;
  private boolean foundAlone;
  private boolean stopped;
  private @Nullable SystematicSearch alone;
  private List<Simulation> looked = List.of();
  private Result result = Result.NONE;

  /**
   * The end of a search on several threads.
   *
   * @param complete whether every execution was explored, and nothing was found
   * @param limit the limit of time, if it ended the search
   */
  private record Result(
      boolean complete,
      long executions,
      long states,
      long steps,
      Optional<SearchLimit> limit,
      Optional<Violation> violation) {
    static final Result NONE = new Result(false, 0, 0, 0, Optional.empty(), Optional.empty());

    /** Whether it says nothing that one thread would not say. */
    boolean counts() {
      return complete || (limit.isPresent() && violation.isEmpty());
    }
  }

  /** A violation, and the decisions that lead to it. */
  @SuppressWarnings("ArrayRecordComponent") // a copy of its own, and changed by nobody
  private record Violation(Finding finding, int[] path) {}

  ThreadedSearch(
      Simulation simulation,
      Budget budget,
      SearchThreads threads,
      Predicate<Optional<Finding>> end) {
    this.simulation = simulation;
    this.budget = budget;
    this.threads = threads;
    this.end = end;
  }

  /** The simulations that took the steps of the search whose result counts. */
  List<Simulation> simulations() {
    return alone == null ? looked : List.of(simulation);
  }

  /** Whether several threads could search. */
  boolean together() {
    return together;
  }

  @Override
  public void run() {
    BooleanSupplier over = budget.time().begin();
    try {
      result = search(over);
    } catch (OutOfMemoryError | MachineException e) {
      // One thread needs less; if that is too much as well, its search says so.
      result = Result.NONE;
    }
    if (!result.counts()) {
      alone(over);
    }
  }

  private void alone(BooleanSupplier over) {
    SystematicSearch one =
        new SystematicSearch(
            simulation,
            true,
            budget.within(() -> over),
            finding -> {
              foundAlone |= finding.isPresent();
              return end.test(finding);
            });
    alone = one;
    try {
      one.run();
    } catch (OutOfMemoryError | MachineException e) {
      if (result.violation().isEmpty()) {
        throw e;
      }
      // What several threads found holds, however far one thread comes.
      stopped = true;
    }
    if (!foundAlone && result.violation().isPresent()) {
      Finding finding = result.violation().get().finding();
      if (one.cut().isEmpty() && !stopped) {
        throw new AssertionError("several threads found what one does not: " + finding);
      }
      boolean ignored = end.test(Optional.of(finding));
    }
  }

  /** Searches with several threads, with more room each time that a state needs it. */
  private Result search(BooleanSupplier over) {
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
      looked = workers.stream().map(SearchWorker::simulation).toList();
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
    boolean nothingLeftOut = true;
    long executions = 0;
    long steps = 0;
    for (SearchWorker worker : workers) {
      executions += worker.executions();
      steps += worker.steps();
      // Only a search of one thread reports what its executions left out.
      nothingLeftOut &= !worker.simulation().leftOut();
      if (worker.limit() == SearchLimit.TIME) {
        limit = Optional.of(SearchLimit.TIME);
      }
      Finding found = worker.found();
      if (found != null && violation.isEmpty()) {
        violation = Optional.of(new Violation(found, worker.path()));
      }
    }
    return new Result(
        complete && nothingLeftOut, executions, seen.count(), steps, limit, violation);
  }

  @Override
  public long executions() {
    return alone == null ? result.executions() : alone.executions();
  }

  @Override
  public long states() {
    return alone == null ? result.states() : alone.states();
  }

  @Override
  public long steps() {
    return alone == null ? result.steps() : alone.steps();
  }

  @Override
  public Optional<SearchLimit> cut() {
    if (stopped) {
      return Optional.of(SearchLimit.MEMORY);
    }
    return alone == null ? result.limit() : alone.cut();
  }

  /** The decisions that lead to the violation. */
  @Override
  public int[] path() {
    if (!foundAlone && result.violation().isPresent()) {
      return result.violation().get().path();
    }
    return alone == null ? new int[0] : alone.path();
  }
}
