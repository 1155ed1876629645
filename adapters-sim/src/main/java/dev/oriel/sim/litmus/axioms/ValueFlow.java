package dev.oriel.sim.litmus.axioms;

import static dev.oriel.sim.litmus.answer.EventRelations.has;
import static dev.oriel.sim.litmus.answer.EventRelations.lowest;

import dev.oriel.sim.litmus.answer.EventRelations;
import dev.oriel.sim.litmus.path.ThreadPath.Constraint;
import dev.oriel.sim.litmus.path.ValueTerms;
import java.util.List;

/**
 * The values that flow along the sources chosen so far; a value that feeds itself stays unknown.
 */
final class ValueFlow {
  private final ExecutionGraph graph;
  private final List<ValueTerms> terms;
  private final int[][] needed;
  private final long[][] values;
  private final long[][] readValues;
  private final long[] knownReads;

  ValueFlow(ExecutionGraph graph, List<ValueTerms> terms) {
    this.graph = graph;
    this.terms = terms;
    int threads = graph.paths.size();
    needed = new int[threads][];
    values = new long[threads][];
    readValues = new long[threads][EventRelations.MAX_EVENTS];
    knownReads = new long[threads];
    for (int t = 0; t < threads; t++) {
      needed[t] = graph.paths.get(t).terms().stream().mapToInt(Integer::intValue).toArray();
      values[t] = new long[terms.get(t).size()];
    }
  }

  /**
   * Evaluates everything that the sources determine; false if a branch could not have been taken.
   */
  boolean propagate(int[] source) {
    for (int t = 0; t < knownReads.length; t++) {
      knownReads[t] = 0;
      evaluate(t);
    }
    boolean changed = true;
    while (changed) {
      changed = false;
      for (long rest = graph.reads; rest != 0; rest &= rest - 1) {
        int read = lowest(rest);
        int t = graph.thread[read];
        int ordinal = graph.readOrdinal[read];
        if (source[read] >= 0 && !has(knownReads[t], ordinal) && known(source[read])) {
          readValues[t][ordinal] = of(source[read]);
          knownReads[t] |= 1L << ordinal;
          evaluate(t);
          changed = true;
        }
      }
    }
    return constraintsHold();
  }

  private void evaluate(int t) {
    for (int term : needed[t]) {
      if (known(t, term)) {
        values[t][term] = terms.get(t).evaluate(term, values[t], readValues[t]);
      }
    }
  }

  private boolean constraintsHold() {
    for (int t = 0; t < knownReads.length; t++) {
      for (Constraint c : graph.paths.get(t).constraints()) {
        if (known(t, c.a())
            && known(t, c.b())
            && c.comparison().holds(values[t][c.a()], values[t][c.b()]) != c.holds()) {
          return false;
        }
      }
    }
    return true;
  }

  private boolean known(int t, int term) {
    return (terms.get(t).reads(term) & ~knownReads[t]) == 0;
  }

  private boolean known(int write) {
    return graph.thread[write] < 0 || known(graph.thread[write], graph.events[write].value());
  }

  /** Whether every read has a value. */
  boolean complete() {
    for (long rest = graph.reads; rest != 0; rest &= rest - 1) {
      int read = lowest(rest);
      if (!has(knownReads[graph.thread[read]], graph.readOrdinal[read])) {
        return false;
      }
    }
    return true;
  }

  /** The value that an access reads or writes, or a barrier's resource. */
  long of(int event) {
    int t = graph.thread[event];
    return t < 0
        ? graph.test.locations().get(graph.memory[event]).initial()
        : values[t][graph.events[event].value()];
  }

  long of(int t, int term) {
    return values[t][term];
  }
}
