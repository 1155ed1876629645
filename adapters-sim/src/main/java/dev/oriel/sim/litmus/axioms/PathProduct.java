package dev.oriel.sim.litmus.axioms;

import dev.oriel.sim.litmus.answer.EventRelations;
import dev.oriel.sim.litmus.answer.MemoryModel;
import dev.oriel.sim.litmus.answer.SearchBudget;
import dev.oriel.sim.litmus.path.ThreadPath;
import dev.oriel.sim.litmus.path.ThreadPath.Ending;
import dev.oriel.sim.litmus.path.ValueTerms;
import dev.oriel.sim.litmus.test.LitmusTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Runs a search over every combination of paths, one for each thread, with certain endings. */
public final class PathProduct {
  private final LitmusTest test;
  private final MemoryModel model;
  private final List<List<ThreadPath>> paths;
  private final List<ValueTerms> terms;
  private boolean tooLarge;

  public PathProduct(
      LitmusTest test, MemoryModel model, List<List<ThreadPath>> paths, List<ValueTerms> terms) {
    this.test = test;
    this.model = model;
    this.paths = paths;
    this.terms = terms;
  }

  /** Whether some path ends that way. */
  public boolean has(Ending ending) {
    return paths.stream().flatMap(List::stream).anyMatch(path -> path.ending() == ending);
  }

  /** Whether the last run skipped a combination with too many events. */
  public boolean tooLarge() {
    return tooLarge;
  }

  /**
   * Visits the executions of all combinations in which at least one path ends in {@code needed} and
   * the others in {@code endings}; false if visitor or budget ended it.
   */
  public boolean run(
      Set<Ending> endings,
      Set<Ending> needed,
      SearchBudget budget,
      ExecutionSearch.Visitor visitor) {
    tooLarge = false;
    return choose(endings, needed, budget, visitor, new ArrayList<>());
  }

  private boolean choose(
      Set<Ending> endings,
      Set<Ending> needed,
      SearchBudget budget,
      ExecutionSearch.Visitor visitor,
      List<ThreadPath> chosen) {
    if (chosen.size() == paths.size()) {
      boolean wanted = chosen.stream().anyMatch(path -> needed.contains(path.ending()));
      return !(wanted || chosen.isEmpty()) || search(List.copyOf(chosen), budget, visitor);
    }
    for (ThreadPath path : paths.get(chosen.size())) {
      if (endings.contains(path.ending())) {
        if (!budget.spend(chosen.size() + 1)) {
          return false;
        }
        chosen.add(path);
        boolean going = choose(endings, needed, budget, visitor, chosen);
        chosen.removeLast();
        if (!going) {
          return false;
        }
      }
    }
    return true;
  }

  private boolean search(
      List<ThreadPath> chosen, SearchBudget budget, ExecutionSearch.Visitor visitor) {
    int events = ExecutionGraph.size(test, chosen);
    if (events > EventRelations.MAX_EVENTS) {
      tooLarge = true;
      return true;
    }
    budget.spend(SearchCost.ofPaths(events, terms));
    ExecutionGraph graph = new ExecutionGraph(test, chosen, model);
    return new ExecutionSearch(graph, terms, model, budget, visitor).run();
  }
}
