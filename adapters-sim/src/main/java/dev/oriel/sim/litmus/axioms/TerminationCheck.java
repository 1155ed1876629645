package dev.oriel.sim.litmus.axioms;

import static dev.oriel.sim.litmus.answer.EventRelations.lowest;

import dev.oriel.sim.litmus.answer.EventRelations;
import dev.oriel.sim.litmus.answer.LitmusVerdict.Termination;
import dev.oriel.sim.litmus.answer.SearchBudget;
import dev.oriel.sim.litmus.ends.FairCycle;
import dev.oriel.sim.litmus.path.ThreadPath.Ending;
import dev.oriel.sim.litmus.test.LitmusTest;
import java.util.EnumSet;

/**
 * Decides whether some execution leaves a thread waiting forever.
 *
 * <p>A strong read that is repeated forever eventually observes every write that is morally strong
 * with it and follows its source in coherence. A fair execution therefore stays in a loop only if
 * no read of the loop has such a write. A weak read, or one with too narrow a scope, may return its
 * source forever. A read-modify-write repeats only if it writes the value that it read. Threads
 * that loop and change memory are outside these rules. Of those, the check finds only the ones that
 * can loop by taking turns.
 */
public final class TerminationCheck {
  private final LitmusTest test;
  private final PathProduct product;
  private final boolean allPaths;
  private final long budget;
  private ExecutionSearch.Visitor among = execution -> true;
  private boolean cut;
  private boolean exhausted;

  /** With or without all paths of the threads; without, it cannot prove that all executions end. */
  public TerminationCheck(LitmusTest test, PathProduct product, boolean allPaths, long budget) {
    this.test = test;
    this.product = product;
    this.allPaths = allPaths;
    this.budget = Math.max(1, budget);
  }

  /** From now on only executions that this visitor accepts count. */
  TerminationCheck among(ExecutionSearch.Visitor accepted) {
    among = accepted;
    return this;
  }

  public Termination decide() {
    cut = product.has(Ending.CUT) && (outruns() || exhausted);
    boolean endless =
        product.has(Ending.ENDLESS) && found(EnumSet.of(Ending.ENDLESS), execution -> true);
    if (found(EnumSet.of(Ending.STUCK, Ending.BLOCKED), TerminationCheck::staysForEver)) {
      return Termination.NEVER_FINISHES;
    }
    boolean spins = found(EnumSet.of(Ending.STUCK), TerminationCheck::repeats);
    if (cut || endless || exhausted || !allPaths) {
      return FairCycle.exists(test) ? Termination.NEVER_FINISHES : Termination.UNKNOWN;
    }
    return spins ? Termination.NEEDS_PROGRESS : Termination.ALWAYS;
  }

  /**
   * Whether some execution exceeds the bound. Events after the bound depend on the reads that let
   * the loop continue, so those reads cannot depend on such events. The other threads may therefore
   * stop where they need them, or continue without them to any end.
   */
  private boolean outruns() {
    return found(EnumSet.of(Ending.CUT, Ending.ENDLESS), EnumSet.of(Ending.CUT), e -> true);
  }

  /** Whether a loop can exceed its bound, or was not proved unable to. */
  public boolean cut() {
    return cut;
  }

  /** Whether some execution with a path of those endings satisfies the check. */
  private boolean found(EnumSet<Ending> needed, ExecutionSearch.Visitor check) {
    return found(needed, needed, check);
  }

  private boolean found(
      EnumSet<Ending> open, EnumSet<Ending> needed, ExecutionSearch.Visitor check) {
    EnumSet<Ending> endings = EnumSet.of(Ending.FINISHED, Ending.STUCK, Ending.BLOCKED);
    endings.addAll(open);
    boolean[] found = new boolean[1];
    SearchBudget left = new SearchBudget(budget);
    product.run(
        endings,
        needed,
        left,
        execution -> {
          found[0] = among.visit(execution) && check.visit(execution);
          return !found[0];
        });
    exhausted |= !found[0] && (left.spent() || product.tooLarge());
    return found[0];
  }

  private static boolean staysForEver(ExecutionSearch execution) {
    ExecutionGraph graph = execution.graph;
    for (int t = 0; t < graph.paths.size(); t++) {
      if (graph.paths.get(t).ending() == Ending.STUCK) {
        int from = graph.firstOf[t] + graph.paths.get(t).spinFrom();
        long round = EventRelations.range(from, graph.firstOf[t + 1]);
        for (long rest = round & graph.reads; rest != 0; rest &= rest - 1) {
          int read = lowest(rest);
          long later = execution.axioms.fromRead[read] & graph.morallyStrong[read] & ~round;
          if (later != 0) {
            return false;
          }
        }
      }
    }
    return repeats(execution);
  }

  /** Whether every read-modify-write of a repeated round leaves memory unchanged. */
  private static boolean repeats(ExecutionSearch execution) {
    ExecutionGraph graph = execution.graph;
    for (int t = 0; t < graph.paths.size(); t++) {
      if (graph.paths.get(t).ending() == Ending.STUCK) {
        int from = graph.firstOf[t] + graph.paths.get(t).spinFrom();
        for (int event = from; event < graph.firstOf[t + 1]; event++) {
          int half = graph.partner[event];
          if (half >= 0 && execution.values.of(event) != execution.values.of(half)) {
            return false;
          }
        }
      }
    }
    return true;
  }
}
