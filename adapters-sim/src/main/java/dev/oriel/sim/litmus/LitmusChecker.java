package dev.oriel.sim.litmus;

import dev.oriel.sim.litmus.answer.CrossCheck;
import dev.oriel.sim.litmus.answer.EventRelations;
import dev.oriel.sim.litmus.answer.LitmusOutcomes;
import dev.oriel.sim.litmus.answer.LitmusVerdict;
import dev.oriel.sim.litmus.answer.LitmusVerdict.Answer;
import dev.oriel.sim.litmus.answer.LitmusVerdict.Termination;
import dev.oriel.sim.litmus.answer.MemoryModel;
import dev.oriel.sim.litmus.answer.SearchBudget;
import dev.oriel.sim.litmus.axioms.PathProduct;
import dev.oriel.sim.litmus.axioms.TerminationCheck;
import dev.oriel.sim.litmus.path.PathFinder;
import dev.oriel.sim.litmus.path.ThreadPath;
import dev.oriel.sim.litmus.path.ThreadPath.Ending;
import dev.oriel.sim.litmus.path.ValueTerms;
import dev.oriel.sim.litmus.steps.OperationalSearch;
import dev.oriel.sim.litmus.test.LitmusTest;
import dev.oriel.sim.litmus.test.Quantifier;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Decides litmus tests by exploring all their executions under an axiomatic memory model.
 *
 * <p>Only executions in which all threads finish count for the answer; termination is decided
 * separately. A search that exceeds its budget answers with the outcomes it has found, and reports
 * the bound. So does a search in which a loop can exceed the bound on its rounds. Such an answer
 * proves outcomes allowed, and none forbidden.
 */
public final class LitmusChecker {
  /**
   * The work of a search before it gives up, counted in choices of a test of up to 16 events. A
   * choice of a test with more events or with long arithmetic counts for several.
   */
  public static final long DEFAULT_BUDGET = 1_000_000;

  /** Further rounds of a loop that does more than wait. */
  public static final int DEFAULT_UNROLL = 2;

  private final MemoryModel model;
  private final long budget;
  private final int unroll;

  /** A checker with the default bounds. */
  public LitmusChecker(MemoryModel model) {
    this(model, DEFAULT_BUDGET, DEFAULT_UNROLL);
  }

  /**
   * A checker with the work of {@code budget} choices, which unrolls loops {@code unroll} times.
   */
  public LitmusChecker(MemoryModel model, long budget, int unroll) {
    if (budget < 1 || unroll < 0 || unroll > 16) {
      throw new IllegalArgumentException(
          "bounds out of range: budget=%d, unroll=%d; give a budget from 1 and an unroll of 0 to 16"
              .formatted(budget, unroll));
    }
    this.model = model;
    this.budget = budget;
    this.unroll = unroll;
  }

  /** The verdict on a test; equal inputs give equal verdicts. */
  public LitmusVerdict check(LitmusTest test) {
    SortedMap<String, Integer> unsupported = unsupported(test);
    if (!unsupported.isEmpty()) {
      return none(Answer.UNSUPPORTED, List.of(), unsupported, "unsupported");
    }
    try {
      return decide(test, unsupported);
    } catch (OutOfMemoryError e) {
      // The search counts the memory it retains; the heap may still be too small for the rest.
      String full = "the heap is full: max=%d bytes".formatted(Runtime.getRuntime().maxMemory());
      return none(Answer.UNDECIDED, List.of(full), unsupported, "memory");
    }
  }

  private LitmusVerdict none(
      Answer answer, List<String> bounds, SortedMap<String, Integer> unsupported, String reason) {
    return new LitmusVerdict(
        model, answer, 0, 0, Termination.UNKNOWN, bounds, unsupported, CrossCheck.none(reason));
  }

  private LitmusVerdict decide(LitmusTest test, SortedMap<String, Integer> unsupported) {
    List<String> bounds = new ArrayList<>();
    SearchBudget main = new SearchBudget(budget);
    PathProduct product = product(test, main, bounds);
    boolean allPaths = bounds.isEmpty();
    LitmusOutcomes outcomes = new LitmusOutcomes(test, main);
    LitmusOutcomes stepwise = new LitmusOutcomes(test, new SearchBudget(budget));
    boolean whole = run(product, main, outcomes, stepwise) && !main.spent();
    if (!whole) {
      bounds.add(
          main.full()
              ? "stopped by memory at executions=%d, states=%d; a larger heap (-Xmx) reaches further"
                  .formatted(outcomes.executions(), outcomes.states().size())
              : "stopped after the work of %d choices".formatted(budget));
    }
    if (product.tooLarge()) {
      bounds.add("left out paths of more than %d events".formatted(EventRelations.MAX_EVENTS));
    }
    TerminationCheck ends = new TerminationCheck(test, product, allPaths, budget / 4);
    Termination termination = ends.decide();
    boolean withinRounds = bounds.isEmpty();
    boolean covered = withinRounds && !ends.cut();
    CrossCheck crossCheck =
        withinRounds ? crossCheck(test, outcomes, stepwise) : CrossCheck.none("search was cut");
    if (ends.cut()) {
      bounds.add("loops unrolled %d times, more rounds may end otherwise".formatted(unroll));
    } else if (termination == Termination.UNKNOWN) {
      bounds.add("termination not decided");
    }
    return new LitmusVerdict(
        model,
        answer(test.quantifier(), outcomes, covered),
        outcomes.executions(),
        outcomes.states().size(),
        termination,
        List.copyOf(bounds),
        unsupported,
        crossCheck);
  }

  private static boolean run(
      PathProduct product, SearchBudget main, LitmusOutcomes outcomes, LitmusOutcomes stepwise) {
    Set<Ending> finished = EnumSet.of(Ending.FINISHED);
    return product.run(
        finished,
        finished,
        main,
        execution -> {
          if (execution.stepwise()) {
            stepwise.add(execution);
          }
          return outcomes.add(execution);
        });
  }

  private CrossCheck crossCheck(LitmusTest test, LitmusOutcomes outcomes, LitmusOutcomes stepwise) {
    OperationalSearch search =
        new OperationalSearch(test, model, unroll, new SearchBudget(budget / 10));
    search.run();
    return search.shortfall().isEmpty()
        ? CrossCheck.of(test, outcomes, stepwise, search.outcomes())
        : CrossCheck.none(search.shortfall());
  }

  /**
   * All final states of a test, in the order of its observed variables. Loops contribute only their
   * unrolled rounds; {@link #check} reports whether more rounds may end differently.
   *
   * @throws IllegalStateException if the bounds are too small to find all states
   */
  public Set<List<Long>> states(LitmusTest test) {
    List<String> bounds = new ArrayList<>();
    SearchBudget main = new SearchBudget(budget);
    LitmusOutcomes outcomes = new LitmusOutcomes(test, main);
    PathProduct product = product(test, main, bounds);
    boolean whole = run(product, main, outcomes, new LitmusOutcomes(test, main)) && !main.spent();
    if (!whole || product.tooLarge() || !bounds.isEmpty()) {
      throw new IllegalStateException(
          "not all states seen: budget=%d, unroll=%d, bounds=%s; ask for the verdict first, or give a larger budget"
              .formatted(budget, unroll, bounds));
    }
    return outcomes.states();
  }

  private PathProduct product(LitmusTest test, SearchBudget main, List<String> bounds) {
    List<List<ThreadPath>> paths = new ArrayList<>();
    List<ValueTerms> terms = new ArrayList<>();
    for (int t = 0; t < test.threads().size(); t++) {
      PathFinder finder = new PathFinder(test, t, unroll);
      paths.add(finder.paths());
      terms.add(finder.terms());
      main.keep(finder.footprint());
      if (!finder.complete()) {
        bounds.add("left out long paths of thread P%d".formatted(test.threads().get(t).number()));
      }
    }
    return new PathProduct(test, model, paths, terms);
  }

  private static Answer answer(Quantifier quantifier, LitmusOutcomes outcomes, boolean covered) {
    if (quantifier == Quantifier.FORALL) {
      return outcomes.refuted() ? Answer.NOT_ALWAYS : covered ? Answer.ALWAYS : Answer.UNDECIDED;
    }
    return outcomes.witnessed() ? Answer.ALLOWED : covered ? Answer.FORBIDDEN : Answer.UNDECIDED;
  }

  /** Features of the test's text that are unknown here or absent from the model. */
  private SortedMap<String, Integer> unsupported(LitmusTest test) {
    SortedMap<String, Integer> unsupported = new TreeMap<>(test.unsupported());
    if (!model.proxies()) {
      int proxies = test.proxies();
      if (proxies > 0) {
        unsupported.put("proxies or aliases under " + model, proxies);
      }
    }
    return unsupported;
  }
}
