package dev.oriel.sim.replay;

import dev.oriel.domain.program.ProgramException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Makes a failing execution small. Passes ({@link ShrinkingPasses}) propose smaller cases. Each is
 * executed, and one is kept if it fails in the same kind and is smaller by {@link CaseSize}. Rounds
 * of all passes end when one changes nothing, or at the budget. The budget counts executions, and
 * an oracle may count steps, so the result does not depend on the machine's speed.
 *
 * <p>It terminates whatever the oracle answers, even if the answers contradict each other. Kept
 * cases decrease by a measure of naturals in lexicographic order, which has no infinite descent.
 * For each case the passes propose finitely many.
 */
public final class Shrinker {

  /** Executes cases. */
  @FunctionalInterface
  public interface Oracle {

    /**
     * The case's failure, if it fails. Its choices were made for a larger case, so an oracle takes
     * them leniently ({@link ScriptedChoices#lenient}). It may try others if they do not fail, and
     * returns those that did.
     */
    Optional<ExecutionFailure> run(ExecutionCase candidate);

    /** Whether the work of all cases so far is enough, so that no further one is tried. */
    default boolean isSpent() {
      return false;
    }
  }

  /**
   * The result.
   *
   * @param confirmed whether the smallest case failed in the same way once more at the end
   */
  public record Result(
      ExecutionCase smallest, int executions, boolean confirmed, List<PassReport> passes) {
    public Result {
      passes = List.copyOf(passes);
    }
  }

  /**
   * The work of one pass over all rounds.
   *
   * @param before the amount that the pass reduces, when it first started
   * @param after the same amount in the smallest case
   */
  public record PassReport(String name, long before, long after) {}

  private final Oracle oracle;
  private final ShrinkingPasses passes;
  private final int budget;

  /**
   * @param profiles from the weakest memory to the strongest
   * @param budget the most executions, at least 2: one to see the failure, one to confirm it
   * @param sameProgram whether the text of the program must not change, so that its token replays
   *     it
   */
  public Shrinker(Oracle oracle, List<String> profiles, int budget, boolean sameProgram) {
    if (budget < 2) {
      throw new ReplayException("budget too small: executions=" + budget + "; give 2 or more");
    }
    this.oracle = oracle;
    this.passes = new ShrinkingPasses(profiles, sameProgram);
    this.budget = budget;
  }

  /**
   * The smallest case found that fails as {@code failing} does.
   *
   * @throws ReplayException if it does not fail
   */
  public Result shrink(ExecutionCase failing) {
    ExecutionFailure failure =
        oracle
            .run(failing)
            .orElseThrow(() ->
                new ReplayException(
                    "nothing to shrink: form=%s, world=%s, the execution does not fail; give the"
                            .formatted(failing.form().name(), failing.world())
                        + " case that did"));
    return new Descent(failing, failure).run();
  }

  private static boolean binds(ExecutionCase candidate) {
    try {
      candidate.program();
      return true;
    } catch (ProgramException e) {
      return false;
    }
  }

  /** One descent from a failing case. */
  private final class Descent {
    private final ExecutionCase first;
    private final String kind;
    private final List<ShrinkingPasses.Pass> order = passes.inOrder();

    /** Cases that did not fail in the same way; each is executed only once. */
    private final Set<ExecutionCase> refused = new HashSet<>();

    private ExecutionCase current;
    private CaseSize measure;
    private int executions = 1;

    Descent(ExecutionCase failing, ExecutionFailure failure) {
      this.first = failing;
      this.kind = failure.kind();
      this.current = failing.withChoices(failure.choices());
      this.measure = passes.measure(current);
    }

    Result run() {
      boolean smaller = true;
      while (smaller) {
        smaller = false;
        for (ShrinkingPasses.Pass pass : order) {
          smaller |= exhaust(pass);
        }
      }
      Optional<ExecutionFailure> again = oracle.run(current);
      executions++;
      List<PassReport> reports = new ArrayList<>();
      for (ShrinkingPasses.Pass pass : order) {
        long before = pass.amount().applyAsLong(first);
        long after = pass.amount().applyAsLong(current);
        reports.add(new PassReport(pass.name(), before, after));
      }
      boolean confirmed = again.isPresent() && sameKind(again.get());
      return new Result(current, executions, confirmed, reports);
    }

    /** Follows one pass; after a success it continues at the same place, not from the start. */
    private boolean exhaust(ShrinkingPasses.Pass pass) {
      boolean any = false;
      int place = 0;
      Iterator<ExecutionCase> candidates = pass.candidates().apply(current).iterator();
      while (executions < budget - 1 && !oracle.isSpent() && candidates.hasNext()) {
        if (accepts(candidates.next())) {
          any = true;
          candidates = pass.candidates().apply(current).skip(place).iterator();
        } else {
          place++;
        }
      }
      return any;
    }

    private boolean accepts(ExecutionCase candidate) {
      if (passes.measure(candidate).compareTo(measure) >= 0
          || refused.contains(candidate)
          || !binds(candidate)) {
        return false;
      }
      executions++;
      Optional<ExecutionFailure> found = oracle.run(candidate);
      if (found.isPresent() && sameKind(found.get())) {
        ExecutionCase taken = candidate.withChoices(found.get().choices());
        CaseSize size = passes.measure(taken);
        if (size.compareTo(measure) < 0) {
          current = taken;
          measure = size;
          return true;
        }
      }
      refused.add(candidate);
      return false;
    }

    private boolean sameKind(ExecutionFailure other) {
      return other.kind().equals(kind);
    }
  }
}
