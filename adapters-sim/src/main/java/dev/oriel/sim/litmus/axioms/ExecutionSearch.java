package dev.oriel.sim.litmus.axioms;

import static dev.oriel.sim.litmus.answer.EventRelations.bit;
import static dev.oriel.sim.litmus.answer.EventRelations.has;
import static dev.oriel.sim.litmus.answer.EventRelations.lowest;

import dev.oriel.sim.litmus.answer.FinishedExecution;
import dev.oriel.sim.litmus.answer.MemoryModel;
import dev.oriel.sim.litmus.answer.SearchBudget;
import dev.oriel.sim.litmus.path.ValueTerms;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Finds every consistent execution of one path for each thread. It chooses the source of each read,
 * then the barriers' arrivals, the order of sc fences, and the orientation of morally strong
 * writes. A choice that already violates an axiom is not followed.
 */
public final class ExecutionSearch implements FinishedExecution {

  /** Receives each consistent execution; returns whether to continue. */
  public interface Visitor {
    boolean visit(ExecutionSearch execution);
  }

  private record Pair(int a, int b) {}

  final ExecutionGraph graph;
  final ValueFlow values;
  final AxiomChecker axioms;
  final int[] source;
  final CausalOrder causal;
  private final SearchBudget budget;
  private final int sourceWork;
  private final int orderWork;
  private final Visitor visitor;
  private final int[] reads;
  private final List<Pair> fences;
  private final List<Pair> writes;
  private final long[] scOrder;
  private final long[] orientation;
  private final long[] none;
  private long[] barrierOrder;
  private boolean stopped;

  ExecutionSearch(
      ExecutionGraph graph,
      List<ValueTerms> terms,
      MemoryModel model,
      SearchBudget budget,
      Visitor visitor) {
    this.graph = graph;
    this.budget = budget;
    sourceWork = SearchCost.ofSource(graph);
    orderWork = SearchCost.ofOrder(graph);
    this.visitor = visitor;
    values = new ValueFlow(graph, terms);
    causal = new CausalOrder(graph, model);
    axioms = new AxiomChecker(graph, causal);
    source = new int[graph.size];
    Arrays.fill(source, -1);
    scOrder = new long[graph.size];
    orientation = new long[graph.size];
    none = new long[graph.size];
    barrierOrder = none;
    reads = new int[Long.bitCount(graph.reads)];
    int count = 0;
    for (long rest = graph.reads; rest != 0; rest &= rest - 1) {
      reads[count++] = lowest(rest);
    }
    fences = pairs(graph.scFences, scOrder);
    writes = pairs(graph.writes, orientation);
  }

  /** The morally strong pairs of different threads; those of one thread keep program order. */
  private List<Pair> pairs(long among, long[] order) {
    List<Pair> pairs = new ArrayList<>();
    for (int a = 0; a < graph.size; a++) {
      long others = has(among, a) ? among & graph.morallyStrong[a] : 0;
      if (has(graph.writes, a)) {
        others &= graph.sameMemory[a];
      }
      order[a] |= others & graph.programOrder[a];
      for (long rest = others; rest != 0; rest &= rest - 1) {
        int b = lowest(rest);
        if (a < b && graph.thread[a] != graph.thread[b]) {
          pairs.add(new Pair(a, b));
        }
      }
    }
    return pairs;
  }

  /** Visits all executions; false if the visitor or the budget ended it. */
  boolean run() {
    if (values.propagate(source)) {
      chooseSource(0);
    }
    return !stopped;
  }

  private boolean going() {
    stopped |= budget.spent();
    return !stopped;
  }

  private void chooseSource(int index) {
    if (index == reads.length) {
      if (values.complete()) {
        List<long[]> orders = new BarrierGroups(graph, values, budget, orderWork).orders();
        for (long[] barriers : orders) {
          barrierOrder = barriers;
          if (orderly(barriers)) {
            chooseFence(0, barriers);
          }
        }
        budget.keep(graph.barriers == 0 ? 0 : -BarrierGroups.footprint(graph) * orders.size());
      }
      return;
    }
    int read = reads[index];
    long candidates = graph.sameMemory[read] & graph.writes;
    if (graph.partner[read] >= 0) {
      candidates &= ~bit(graph.partner[read]);
    }
    for (int before = 0; before < index; before++) {
      candidates &= ~replaced(reads[before], read);
    }
    for (long rest = candidates; rest != 0 && going(); rest &= rest - 1) {
      source[read] = lowest(rest);
      budget.spend(sourceWork);
      if (values.propagate(source) && orderly(none)) {
        chooseSource(index + 1);
      }
    }
    source[read] = -1;
    values.propagate(source);
  }

  /**
   * The source of one update if the other update cannot read it as well. Both reading it would put
   * the write that comes first between the halves of the other update. The conditions are those of
   * the atomicity axiom for both.
   */
  private long replaced(int one, int other) {
    int write = source[one];
    int first = graph.partner[one];
    int second = graph.partner[other];
    if (first < 0 || second < 0) {
      return 0;
    }
    long updates = bit(one) | bit(first);
    boolean exclude = strong(other, updates) && strong(second, updates);
    boolean after = has(graph.initials, write) || strong(write, updates | bit(other) | bit(second));
    return exclude && after ? bit(write) : 0;
  }

  private boolean strong(int event, long others) {
    return (others & ~graph.morallyStrong[event]) == 0;
  }

  /** Whether the execution violates no axiom so far, with the sc order chosen so far. */
  private boolean orderly(long[] barriers) {
    causal.derive(source, scOrder, barriers);
    for (int i = 0; i < graph.size; i++) {
      for (long rest = scOrder[i]; rest != 0; rest &= rest - 1) {
        if (has(causal.base[lowest(rest)], i)) {
          return false;
        }
      }
    }
    return axioms.hold(source, orientation);
  }

  private void chooseFence(int index, long[] barriers) {
    if (index == fences.size()) {
      causal.derive(source, scOrder, barriers);
      chooseOrientation(0);
      return;
    }
    Pair pair = fences.get(index);
    chooseFence(index, barriers, pair.a(), pair.b());
    chooseFence(index, barriers, pair.b(), pair.a());
  }

  private void chooseFence(int index, long[] barriers, int first, int second) {
    if (going()) {
      budget.spend(orderWork);
      scOrder[first] |= bit(second);
      if (orderly(barriers)) {
        chooseFence(index + 1, barriers);
      }
      scOrder[first] &= ~bit(second);
    }
  }

  private void chooseOrientation(int index) {
    if (!going()) {
      return;
    }
    if (index == writes.size()) {
      budget.spend(orderWork);
      if (axioms.hold(source, orientation)) {
        stopped |= !visitor.visit(this);
      }
      return;
    }
    Pair pair = writes.get(index);
    chooseOrientation(index, pair.a(), pair.b());
    chooseOrientation(index, pair.b(), pair.a());
  }

  private void chooseOrientation(int index, int first, int second) {
    if (going()) {
      budget.spend(orderWork);
      orientation[first] |= bit(second);
      if (axioms.hold(source, orientation)) {
        chooseOrientation(index + 1);
      }
      orientation[first] &= ~bit(second);
    }
  }

  /** Whether it can run step by step, with each read after the write that it returns. */
  public boolean stepwise() {
    return graph.steps.allow(source, scOrder, barrierOrder);
  }

  @Override
  public long register(int thread, String name) {
    for (int t = 0; t < graph.paths.size(); t++) {
      if (graph.test.threads().get(t).number() == thread) {
        Integer term = graph.paths.get(t).finals().get(name);
        return term == null ? 0 : values.of(t, term);
      }
    }
    return 0;
  }

  @Override
  public List<Long> last(int memory) {
    List<Long> last = new ArrayList<>();
    for (long rest = axioms.last(memory); rest != 0; rest &= rest - 1) {
      last.add(values.of(lowest(rest)));
    }
    return last;
  }
}
