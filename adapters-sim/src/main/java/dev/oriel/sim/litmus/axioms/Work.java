package dev.oriel.sim.litmus.axioms;

import dev.oriel.sim.litmus.answer.Masks;
import dev.oriel.sim.litmus.path.ValueTerms;
import java.util.List;

/**
 * What the parts of a search take from its budget, counted in choices of a small test, so that a
 * budget bounds how long a large one takes as well. Up to {@link #SMALL} events with little
 * arithmetic a choice is one.
 */
final class Work {
  /** Events of a test whose relations take no longer than all else that a choice does. */
  private static final int SMALL = 16;

  /** Evaluated terms that take as long as one choice of a small test. */
  private static final int TERMS = 512;

  /** Rows of relations go by the word, so time grows with their number, not with its square. */
  private static final int TERMS_PER_EVENT = TERMS / SMALL;

  /** Pairs of events that take as long: setting up looks at each. */
  private static final int PAIRS = SMALL * SMALL;

  private Work() {}

  /** A choice of an order: relations over all events. */
  static int ofOrder(ExecutionGraph graph) {
    return choice(graph, 0);
  }

  /** A choice of a source: every term of a thread again with each value that its reads get, too. */
  static int ofSource(ExecutionGraph graph) {
    long terms = 0;
    for (int t = 0; t < graph.paths.size(); t++) {
      long reads = graph.reads & Masks.range(graph.firstOf[t], graph.firstOf[t + 1]);
      terms += (long) graph.paths.get(t).terms().size() * (1 + Long.bitCount(reads));
    }
    return choice(graph, terms);
  }

  private static int choice(ExecutionGraph graph, long terms) {
    long rows = (long) TERMS_PER_EVENT * Math.max(0, graph.size - SMALL);
    return (int) (1 + (rows + terms) / TERMS);
  }

  /** Setting up a search of paths with so many events; a small test's is in its first choice. */
  static int ofPaths(int events, List<ValueTerms> terms) {
    long places = terms.stream().mapToLong(ValueTerms::size).sum();
    return (int) (Math.max(0, events * events / PAIRS - 1) + places / TERMS);
  }
}
