package dev.oriel.sim.litmus.axioms;

import static dev.oriel.sim.litmus.answer.EventRelations.bit;
import static dev.oriel.sim.litmus.answer.EventRelations.has;
import static dev.oriel.sim.litmus.answer.EventRelations.lowest;

import dev.oriel.sim.litmus.answer.EventRelations;
import java.util.Arrays;

/**
 * Decides whether a whole or partial execution violates an axiom of the PTX memory model.
 *
 * <p>Coherence is the least order that the model requires: initial writes first, causality between
 * writes of one memory, and an orientation of each pair of morally strong writes. More edges could
 * only forbid more. Every relation here grows with each choice, so a partial execution that
 * violates an axiom is abandoned at once.
 */
final class AxiomChecker {
  private final ExecutionGraph graph;
  private final CausalOrder causal;
  private final long[] scratch;

  /** Coherence, transitively closed. */
  final long[] coherence;

  /** For a read: the writes after its source in coherence, except its own other half. */
  final long[] fromRead;

  AxiomChecker(ExecutionGraph graph, CausalOrder causal) {
    this.graph = graph;
    this.causal = causal;
    scratch = new long[graph.size];
    coherence = new long[graph.size];
    fromRead = new long[graph.size];
  }

  /** Checks all axioms that involve coherence; causality is as derived last. */
  boolean hold(int[] source, long[] orientation) {
    for (int i = 0; i < graph.size; i++) {
      long later = has(graph.writes, i) ? causal.cause[i] | orientation[i] : 0;
      if (has(graph.initials, i)) {
        later |= graph.sameMemory[i];
      }
      coherence[i] = later & graph.writes;
    }
    EventRelations.close(coherence);
    return !EventRelations.reflexive(coherence)
        && causality(source)
        && atomicity(source)
        && noThinAir(source);
  }

  /**
   * No read returns a value that it causes, or one that a write before it in causality has
   * replaced.
   */
  private boolean causality(int[] source) {
    Arrays.fill(fromRead, 0);
    for (long rest = graph.reads; rest != 0; rest &= rest - 1) {
      int read = lowest(rest);
      if (source[read] < 0) {
        continue;
      }
      fromRead[read] = coherence[source[read]];
      if (graph.partner[read] >= 0) {
        fromRead[read] &= ~bit(graph.partner[read]);
      }
      if (has(causal.cause[read], source[read])) {
        return false;
      }
      for (long later = fromRead[read]; later != 0; later &= later - 1) {
        if (has(causal.cause[lowest(later)], read)) {
          return false;
        }
      }
    }
    return true;
  }

  /** No morally strong write is between the halves of a read-modify-write. */
  private boolean atomicity(int[] source) {
    for (long rest = graph.reads; rest != 0; rest &= rest - 1) {
      int read = lowest(rest);
      int write = graph.partner[read];
      if (write < 0 || source[read] < 0) {
        continue;
      }
      long between = fromRead[read] & graph.morallyStrong[read] & graph.morallyStrong[write];
      for (; between != 0; between &= between - 1) {
        if (has(coherence[lowest(between)], write)) {
          return false;
        }
      }
    }
    return true;
  }

  /** No value feeds or controls its own production. */
  private boolean noThinAir(int[] source) {
    System.arraycopy(graph.depends, 0, scratch, 0, graph.size);
    for (long rest = graph.reads; rest != 0; rest &= rest - 1) {
      int read = lowest(rest);
      if (source[read] >= 0) {
        scratch[read] |= bit(source[read]);
      }
    }
    return EventRelations.acyclic(scratch);
  }

  /** The coherence-maximal writes of a memory: its final value may be that of any of them. */
  long last(int memory) {
    long last = 0;
    for (long rest = graph.writes; rest != 0; rest &= rest - 1) {
      int write = lowest(rest);
      if (graph.memory[write] == memory && coherence[write] == 0) {
        last |= bit(write);
      }
    }
    return last;
  }
}
