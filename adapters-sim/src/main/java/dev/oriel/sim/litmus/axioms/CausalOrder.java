package dev.oriel.sim.litmus.axioms;

import static dev.oriel.sim.litmus.answer.EventRelations.bit;
import static dev.oriel.sim.litmus.answer.EventRelations.has;
import static dev.oriel.sim.litmus.answer.EventRelations.lowest;

import dev.oriel.sim.litmus.answer.EventRelations;
import dev.oriel.sim.litmus.answer.MemoryModel;
import dev.oriel.sim.litmus.test.LitmusScope;
import dev.oriel.sim.litmus.test.MemoryProxy;
import java.util.Arrays;

/**
 * Causality of one execution: the happens-before order that follows from a choice of sources, of
 * the order among sc fences, and of barrier arrivals.
 *
 * <p>A write is observed by the reads that return it morally strongly, and through the write half
 * of such a read-modify-write by further reads. A release pattern synchronises with an acquire
 * pattern if a read of the latter observes a write of the former. The outer ends of the two
 * patterns must be morally strong. Base causality is the closure of synchronisation, sc order,
 * barriers and program order. Causality retains only its pairs on one memory whose order a common
 * proxy or the proxy fences along the path preserve. Causality may begin with one observation. All
 * relations only grow with further choices, so a cycle found early is never undone.
 *
 * <p>Version 6.0 states the same in other words. It has program order in base causality only beside
 * other edges, and after an observation only on one memory. A separate axiom requires that
 * communication of one location agrees with program order.
 */
final class CausalOrder {
  private final ExecutionGraph graph;
  private final MemoryModel model;
  private final long[] observers;
  private final long[] observed;
  private final long[] preserved;

  /** Base causality, transitively closed. */
  final long[] base;

  /** Causality between accesses of the same memory. */
  final long[] cause;

  CausalOrder(ExecutionGraph graph, MemoryModel model) {
    this.graph = graph;
    this.model = model;
    observers = new long[graph.size];
    observed = new long[graph.size];
    preserved = new long[graph.size];
    base = new long[graph.size];
    cause = new long[graph.size];
  }

  /** Derives both orders; {@code source[r]} is -1 where not chosen yet. */
  void derive(int[] source, long[] scOrder, long[] barrierOrder) {
    observe(source);
    for (int i = 0; i < graph.size; i++) {
      base[i] = scOrder[i] | barrierOrder[i];
    }
    synchronise();
    for (int i = 0; i < graph.size; i++) {
      base[i] |= graph.programOrder[i];
    }
    EventRelations.close(base);
    preserve();
    for (int i = 0; i < graph.size; i++) {
      cause[i] = preserved[i];
      for (long rest = observers[i]; rest != 0; rest &= rest - 1) {
        cause[i] |= preserved[lowest(rest)];
      }
    }
  }

  private void observe(int[] source) {
    Arrays.fill(observed, 0);
    Arrays.fill(observers, 0);
    boolean changed = true;
    while (changed) {
      changed = false;
      for (long rest = graph.reads; rest != 0; rest &= rest - 1) {
        int read = lowest(rest);
        int write = source[read];
        if (write >= 0 && has(graph.morallyStrong[read], write)) {
          int half = graph.partner[write];
          long all = bit(write) | (half < 0 ? 0 : observed[half]);
          changed |= all != observed[read];
          observed[read] = all;
        }
      }
    }
    for (long rest = graph.reads; rest != 0; rest &= rest - 1) {
      int read = lowest(rest);
      for (long from = observed[read]; from != 0; from &= from - 1) {
        observers[lowest(from)] |= bit(read);
      }
    }
  }

  private void synchronise() {
    for (long rest = graph.writes & ~graph.initials; rest != 0; rest &= rest - 1) {
      int write = lowest(rest);
      long closing = 0;
      if (graph.releases[write] != 0) {
        for (long by = observers[write]; by != 0; by &= by - 1) {
          closing |= graph.acquires[lowest(by)];
        }
      }
      if (closing != 0) {
        for (long from = graph.releases[write]; from != 0; from &= from - 1) {
          int opening = lowest(from);
          base[opening] |= closing & graph.morallyStrong[opening];
        }
      }
    }
  }

  private void preserve() {
    for (int i = 0; i < graph.size; i++) {
      preserved[i] = graph.oneWay || !model.proxies() ? base[i] & graph.sameMemory[i] : linked(i);
    }
  }

  /**
   * The accesses that remain ordered after access x. An access on the same path is ordered
   * directly: on the generic one, or on that of a proxy within one thread block. Any other access y
   * needs up to three fences. The first is a fence of x's proxy in x's thread block, the second an
   * alias fence if the addresses differ, the third a fence of y's proxy in y's thread block.
   */
  private long linked(int x) {
    long result = 0;
    long targets = base[x] & graph.sameMemory[x];
    if (targets == 0) {
      return 0;
    }
    MemoryProxy mine = graph.events[x].proxy();
    long generic = mine == MemoryProxy.GENERIC ? base[x] : through(base[x], mine, x);
    long aliased = through(generic, MemoryProxy.GENERIC, x);
    for (long rest = targets; rest != 0; rest &= rest - 1) {
      int y = lowest(rest);
      MemoryProxy theirs = graph.events[y].proxy();
      boolean sameAddress = graph.address[x] == graph.address[y];
      boolean direct = sameAddress && mine == theirs && graph.shares(LitmusScope.CTA, x, y);
      long arrived = sameAddress ? generic : aliased;
      if (theirs != MemoryProxy.GENERIC) {
        arrived = through(arrived, theirs, y);
      }
      if (direct || has(arrived, y)) {
        result |= bit(y);
      }
    }
    return result;
  }

  /**
   * The events ordered after those fences of a proxy that are in {@code before} and in an event's
   * block.
   */
  private long through(long before, MemoryProxy proxy, int event) {
    long beyond = 0;
    for (long rest = before & graph.proxyFences; rest != 0; rest &= rest - 1) {
      int fence = lowest(rest);
      boolean placed = proxy == MemoryProxy.GENERIC || graph.shares(LitmusScope.CTA, fence, event);
      if (graph.events[fence].proxy() == proxy && placed) {
        beyond |= base[fence];
      }
    }
    return beyond;
  }
}
