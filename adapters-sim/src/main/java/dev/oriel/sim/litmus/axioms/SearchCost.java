package dev.oriel.sim.litmus.axioms;

import dev.oriel.sim.litmus.answer.EventRelations;
import dev.oriel.sim.litmus.path.ValueTerms;
import java.util.List;

/**
 * The cost of the parts of a search, counted in choices of a small test. A budget therefore also
 * bounds the time of a large test. Up to {@link #SMALL} events with little arithmetic, a choice
 * costs one.
 */
final class SearchCost {
  /** The most events of a test whose relations take no longer than the rest of a choice. */
  private static final int SMALL = 16;

  /** Evaluated terms that take as long as one choice of a small test. */
  private static final int TERMS = 512;

  /** Rows of relations are words, so time grows with their number, not with its square. */
  private static final int TERMS_PER_EVENT = TERMS / SMALL;

  /** Pairs of events that take as long as one choice: the set-up visits each pair. */
  private static final int PAIRS = SMALL * SMALL;

  private SearchCost() {}

  /** A choice of an order: relations over all events. */
  static int ofOrder(ExecutionGraph graph) {
    return choice(graph, 0);
  }

  /**
   * A choice of a source: every term of a thread is evaluated anew with each value that its reads
   * get.
   */
  static int ofSource(ExecutionGraph graph) {
    long terms = 0;
    for (int t = 0; t < graph.paths.size(); t++) {
      long reads = graph.reads & EventRelations.range(graph.firstOf[t], graph.firstOf[t + 1]);
      terms += (long) graph.paths.get(t).terms().size() * (1 + Long.bitCount(reads));
    }
    return choice(graph, terms);
  }

  private static int choice(ExecutionGraph graph, long terms) {
    long rows = (long) TERMS_PER_EVENT * Math.max(0, graph.size - SMALL);
    return (int) (1 + (rows + terms) / TERMS);
  }

  /**
   * The set-up of a search of paths with that many events; for a small test its first choice
   * includes it.
   */
  static int ofPaths(int events, List<ValueTerms> terms) {
    long places = terms.stream().mapToLong(ValueTerms::size).sum();
    return (int) (Math.max(0, events * events / PAIRS - 1) + places / TERMS);
  }
}
