package dev.oriel.sim.search;

import dev.oriel.ports.MachineException;
import dev.oriel.sim.levels.SearchCuts;
import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.machine.finding.Finding;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Explores every order of every step by several workers, with the verdict of one core.
 *
 * <p>Where the workers explore everything and find nothing, the counts are those of one core. In
 * any other case one core searches anew and its result counts, since only its order decides which
 * violation comes first. Where a limit stopped the workers, their result stands unless the one core
 * finds a violation. And a violation that they found is reported although a limit stopped the one
 * core before it.
 *
 * <p>The workers search over versions of parts, whose digests depend on their contents alone. Where
 * the parts of a program's steps are not known, one core searches.
 */
abstract class JointSearch implements ExhaustiveSearch {
  private final Simulation simulation;
  private final Budget budget;
  private final Predicate<Optional<Finding>> end;
  private boolean foundAlone;
  private boolean stopped;
  private @Nullable SystematicSearch alone;
  private Result result = Result.NONE;

  /**
   * The end of a search by several workers.
   *
   * @param complete whether every execution was explored, and nothing was found
   * @param limit the limit that ended the search; it counts unless one core finds a violation
   */
  record Result(
      boolean complete,
      long executions,
      long states,
      long steps,
      Optional<SearchLimit> limit,
      Optional<Violation> violation,
      SearchCuts cuts) {
    static final Result NONE =
        new Result(false, 0, 0, 0, Optional.empty(), Optional.empty(), SearchCuts.NONE);

    /** Whether one core has nothing to add, or no time for it. */
    boolean counts() {
      return complete || (stands() && limit.get() == SearchLimit.TIME);
    }

    /** Whether it is what is reported unless one core finds a violation. */
    boolean stands() {
      return limit.isPresent() && violation.isEmpty();
    }
  }

  /** A violation, and the decisions that lead to it. */
  @SuppressWarnings("ArrayRecordComponent") // a copy of its own, never changed
  record Violation(Finding finding, int[] path) {}

  JointSearch(Simulation simulation, Budget budget, Predicate<Optional<Finding>> end) {
    this.simulation = simulation;
    this.budget = budget;
    this.end = end;
  }

  /** Searches by several workers; {@link Result#NONE} if they cannot. */
  abstract Result search(BooleanSupplier over);

  /** The limits of the one core that searches anew after that result. */
  abstract Budget confirming(Result joint);

  /** Whether several workers could search. */
  abstract boolean together();

  /** What the executions of the search left out whose result counts. */
  final SearchCuts cuts() {
    return alone == null ? result.cuts() : cuts(simulation, true);
  }

  /**
   * What the executions of that simulation left out so far.
   *
   * @param full whether the search explores every order of every step
   */
  static SearchCuts cuts(Simulation simulation, boolean full) {
    return new SearchCuts(
        simulation.sumsCut(),
        simulation.unorderedCut(),
        simulation.pollsCut(),
        simulation.packetsCut(full),
        simulation.held());
  }

  @Override
  public final void run() {
    BooleanSupplier over = budget.time().begin();
    try {
      result = search(over);
    } catch (OutOfMemoryError e) {
      // One core needs less; if that is too much as well, its search says so.
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
            confirming(result).within(() -> over),
            finding -> {
              foundAlone |= finding.isPresent();
              return end.test(finding);
            });
    alone = one;
    try {
      one.run();
    } catch (OutOfMemoryError | MachineException e) {
      if (result.violation().isEmpty() && !result.stands()) {
        throw e;
      }
      // What the workers found holds, however far one core comes.
      stopped = true;
    }
    if (!foundAlone && result.stands()) {
      stopped = false;
      alone = null;
    }
    if (!foundAlone && result.violation().isPresent()) {
      Finding finding = result.violation().get().finding();
      if (one.cut().isEmpty() && !stopped) {
        throw new AssertionError("several workers found what one does not: " + finding);
      }
      boolean _ = end.test(Optional.of(finding));
    }
  }

  @Override
  public final long executions() {
    return alone == null ? result.executions() : alone.executions();
  }

  @Override
  public final long states() {
    return alone == null ? result.states() : alone.states();
  }

  @Override
  public final long steps() {
    return alone == null ? result.steps() : alone.steps();
  }

  @Override
  public final Optional<SearchLimit> cut() {
    if (stopped) {
      return Optional.of(SearchLimit.MEMORY);
    }
    return alone == null ? result.limit() : alone.cut();
  }

  /** The decisions that lead to the violation. */
  @Override
  public final int[] path() {
    if (!foundAlone && result.violation().isPresent()) {
      return result.violation().get().path();
    }
    return alone == null ? new int[0] : alone.path();
  }
}
