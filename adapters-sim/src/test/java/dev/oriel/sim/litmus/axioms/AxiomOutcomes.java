package dev.oriel.sim.litmus.axioms;

import static dev.oriel.sim.litmus.answer.EventRelations.bit;
import static dev.oriel.sim.litmus.answer.EventRelations.has;
import static dev.oriel.sim.litmus.answer.EventRelations.lowest;

import dev.oriel.sim.litmus.answer.LitmusOutcomes;
import dev.oriel.sim.litmus.answer.LitmusVerdict.Termination;
import dev.oriel.sim.litmus.answer.MemoryModel;
import dev.oriel.sim.litmus.answer.SearchBudget;
import dev.oriel.sim.litmus.path.PathFinder;
import dev.oriel.sim.litmus.path.ThreadPath;
import dev.oriel.sim.litmus.path.ThreadPath.Ending;
import dev.oriel.sim.litmus.path.ValueTerms;
import dev.oriel.sim.litmus.test.LitmusTest;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The axioms' results for a litmus test. Outcomes are those of executions in which all threads end;
 * a race may also occur in an execution in which a thread waits for ever.
 *
 * @param allowed every outcome
 * @param stepwise the outcomes of executions that some order of steps has, see {@link StepOrder};
 *     the others are load buffering
 * @param races the worst race of any execution
 * @param racesStepwise the worst race of executions that some order of steps has
 * @param hangs whether a thread waits for ever in some fair execution
 */
public record AxiomOutcomes(
    Set<String> allowed,
    Set<String> stepwise,
    Race races,
    Race racesStepwise,
    boolean hangs,
    boolean hangsStepwise) {
  /** The kind of the race: a later one is worse. */
  public enum Race {
    NONE,
    /** A strong read returns a strong write although one of them does not reach the other. */
    NARROW,
    /** A weak access and another one are unordered. */
    WEAK
  }

  private static final long BUDGET = 4_000_000;

  /** Collects the results of executions. */
  private static final class Collector implements ExecutionSearch.Visitor {
    private final LitmusOutcomes all;
    private final LitmusOutcomes stepwise;
    private Race races = Race.NONE;
    private Race racesStepwise = Race.NONE;

    Collector(LitmusTest test) {
      all = new LitmusOutcomes(test, new SearchBudget(BUDGET));
      stepwise = new LitmusOutcomes(test, new SearchBudget(BUDGET));
    }

    @Override
    public boolean visit(ExecutionSearch execution) {
      if (findsLater(execution)) {
        return true;
      }
      boolean steps = execution.stepwise();
      if ((steps ? racesStepwise : races) != Race.WEAK) {
        Race race = race(execution);
        races = max(races, race);
        racesStepwise = steps ? max(racesStepwise, race) : racesStepwise;
      }
      boolean ends =
          execution.graph.paths.stream().allMatch(path -> path.ending() == Ending.FINISHED);
      if (ends && steps) {
        stepwise.add(execution);
      }
      return !ends || all.add(execution);
    }

    private static Race max(Race a, Race b) {
      return a.compareTo(b) >= 0 ? a : b;
    }

    /**
     * Two unordered accesses of a memory, one of them a write, not both strong. An update counts as
     * one access: an access after its write does not race with its read, as in the simulator. If a
     * write was replaced by another one before the access, it is ordered before the access as well:
     * coherence is transitive, and the race would not be observable.
     */
    private static Race race(ExecutionSearch execution) {
      ExecutionGraph graph = execution.graph;
      long[] cause = execution.causal.cause;
      Race worst = Race.NONE;
      for (int a = 0; a < graph.size; a++) {
        long others = graph.sameMemory[a] & ~graph.morallyStrong[a] & ~cause[a] & ~graph.initials;
        for (; !has(graph.initials, a) && others != 0; others &= others - 1) {
          int b = lowest(others);
          boolean writes = ((bit(a) | bit(b)) & graph.writes) != 0;
          boolean ordered =
              has(cause[b], a)
                  || updated(graph, cause, a, b)
                  || replaced(execution, a, b)
                  || replaced(execution, b, a);
          if (writes && !ordered) {
            worst = max(worst, kind(execution, a, b));
          }
        }
      }
      return worst;
    }

    /** Whether one of them is the read of an update whose write comes before the other. */
    private static boolean updated(ExecutionGraph graph, long[] cause, int a, int b) {
      return after(graph, cause, a, b) || after(graph, cause, b, a);
    }

    private static boolean after(ExecutionGraph graph, long[] cause, int read, int other) {
      return (graph.reads & bit(read)) != 0
          && graph.partner[read] >= 0
          && has(cause[graph.partner[read]], other);
    }

    /**
     * Whether an update reads a plain store that comes after its own write in coherence. The model
     * as written does not forbid this if the two are not both strong; here an update is one access.
     */
    private static boolean findsLater(ExecutionSearch execution) {
      ExecutionGraph graph = execution.graph;
      for (long left = graph.reads; left != 0; left &= left - 1) {
        int read = lowest(left);
        int write = graph.partner[read];
        if (write >= 0 && has(execution.axioms.coherence[write], execution.source[read])) {
          return true;
        }
      }
      return false;
    }

    /** Whether a write came after the first access in coherence, and before the second one. */
    private static boolean replaced(ExecutionSearch execution, int first, int second) {
      ExecutionGraph graph = execution.graph;
      int write = has(graph.reads, first) ? graph.partner[first] : first;
      if (write < 0) {
        return false;
      }
      long later = execution.axioms.coherence[write] & ~bit(second);
      for (; later != 0; later &= later - 1) {
        if (has(execution.causal.cause[lowest(later)], second)) {
          return true;
        }
      }
      return false;
    }

    private static Race kind(ExecutionSearch execution, int a, int b) {
      ExecutionGraph graph = execution.graph;
      // A wait that does not end has found nothing yet.
      if (hangs(graph, a) || hangs(graph, b)) {
        return Race.NONE;
      }
      if (!graph.events[a].order().strong() || !graph.events[b].order().strong()) {
        return Race.WEAK;
      }
      boolean found = execution.source[a] == b || execution.source[b] == a;
      return found ? Race.NARROW : Race.NONE;
    }

    /** Whether the event belongs to the last round of a loop that its thread does not leave. */
    private static boolean hangs(ExecutionGraph graph, int event) {
      ThreadPath path = graph.paths.get(graph.thread[event]);
      int from = graph.firstOf[graph.thread[event]] + path.spinFrom();
      return path.ending() == Ending.STUCK && event >= from;
    }
  }

  public static AxiomOutcomes of(LitmusTest test) {
    List<List<ThreadPath>> paths = new ArrayList<>();
    List<ValueTerms> terms = new ArrayList<>();
    for (int t = 0; t < test.threads().size(); t++) {
      PathFinder finder = new PathFinder(test, t, 2);
      paths.add(finder.paths());
      terms.add(finder.terms());
      require(finder.complete(), "left out paths");
    }
    require(test.unsupported().isEmpty(), "not understood: " + test.unsupported());
    PathProduct product = new PathProduct(test, MemoryModel.PTX_ISA, paths, terms);
    Set<Ending> endings = EnumSet.of(Ending.FINISHED, Ending.STUCK);
    require(!product.has(Ending.CUT) && !product.has(Ending.ENDLESS), "a loop that does more");
    Collector collector = new Collector(test);
    SearchBudget budget = new SearchBudget(BUDGET);
    boolean whole = product.run(endings, endings, budget, collector);
    require(whole && !budget.spent() && !product.tooLarge(), "too large");
    boolean hangs = false;
    boolean hangsStepwise = false;
    if (product.has(Ending.STUCK)) {
      Termination ends = new TerminationCheck(test, product, true, BUDGET).decide();
      require(ends != Termination.UNKNOWN, "termination not decided");
      hangs = ends == Termination.NEVER_FINISHES;
      hangsStepwise =
          hangs
              && new TerminationCheck(test, product, true, BUDGET)
                      .among(ExecutionSearch::stepwise)
                      .decide()
                  == Termination.NEVER_FINISHES;
    }
    return new AxiomOutcomes(
        texts(collector.all),
        texts(collector.stepwise),
        collector.races,
        collector.racesStepwise,
        hangs,
        hangsStepwise);
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new AssertionError(otherwise);
    }
  }

  private static Set<String> texts(LitmusOutcomes outcomes) {
    Set<String> states = new TreeSet<>();
    for (List<Long> state : outcomes.states()) {
      states.add(state.stream().map(String::valueOf).collect(Collectors.joining(" ")));
    }
    return states;
  }
}
