package dev.oriel.sim.litmus.ends;

import dev.oriel.sim.litmus.test.LitmusInstruction;
import dev.oriel.sim.litmus.test.LitmusTest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Searches for an execution that never ends although every unfinished thread continues to take
 * turns. That is a strongly connected part of the graph of moments in which each such thread has a
 * step.
 */
public final class FairCycle {
  private static final int MAX_MOMENTS = 4_000;

  private final LitmusTest test;
  private final Map<InterleavedState, Integer> numbers = new HashMap<>();
  private final List<InterleavedState> moments = new ArrayList<>();

  /** For a moment and a thread: the moment after its step, or -1. */
  private final List<int[]> next = new ArrayList<>();

  private final List<List<Integer>> previous = new ArrayList<>();

  private FairCycle(LitmusTest test) {
    this.test = test;
  }

  /** Whether one exists among the explored moments; tests with barriers are not explored. */
  public static boolean exists(LitmusTest test) {
    boolean barriers =
        test.threads().stream()
            .flatMap(thread -> thread.code().stream())
            .anyMatch(LitmusInstruction.Barrier.class::isInstance);
    return !barriers && new FairCycle(test).found();
  }

  private boolean found() {
    number(InterleavedState.start(test));
    for (int i = 0; i < moments.size() && moments.size() < MAX_MOMENTS; i++) {
      for (int t = 0; t < test.threads().size(); t++) {
        if (!moments.get(i).finished(test, t)) {
          int target = number(moments.get(i).step(test, t));
          next.get(i)[t] = target;
          previous.get(target).add(i);
        }
      }
    }
    List<Integer> order = lastFirst();
    BitSet left = new BitSet();
    left.set(0, moments.size());
    for (int root : order) {
      if (left.get(root) && fair(part(root, left))) {
        return true;
      }
    }
    return false;
  }

  private int number(InterleavedState moment) {
    Integer known = numbers.putIfAbsent(moment, moments.size());
    if (known != null) {
      return known;
    }
    moments.add(moment);
    int[] none = new int[test.threads().size()];
    Arrays.fill(none, -1);
    next.add(none);
    previous.add(new ArrayList<>());
    return moments.size() - 1;
  }

  /** All moments in reverse postorder of a depth-first search. */
  private List<Integer> lastFirst() {
    Deque<Integer> left = new ArrayDeque<>();
    Deque<int[]> path = new ArrayDeque<>(List.of(new int[] {0, 0}));
    BitSet seen = new BitSet();
    seen.set(0);
    while (!path.isEmpty()) {
      int[] top = path.peek();
      int[] targets = next.get(top[0]);
      if (top[1] == targets.length) {
        left.push(path.pop()[0]);
        continue;
      }
      int target = targets[top[1]++];
      if (target >= 0 && !seen.get(target)) {
        seen.set(target);
        path.push(new int[] {target, 0});
      }
    }
    return List.copyOf(left);
  }

  /** Removes from {@code left} the moments that reach the root; the root also reaches them. */
  private BitSet part(int root, BitSet left) {
    BitSet part = new BitSet();
    Deque<Integer> open = new ArrayDeque<>(List.of(root));
    left.clear(root);
    while (!open.isEmpty()) {
      int moment = open.pop();
      part.set(moment);
      for (int from : previous.get(moment)) {
        if (left.get(from)) {
          left.clear(from);
          open.push(from);
        }
      }
    }
    return part;
  }

  private boolean fair(BitSet part) {
    boolean runs = false;
    for (int t = 0; t < test.threads().size(); t++) {
      int thread = t;
      boolean steps =
          part.stream().map(i -> next.get(i)[thread]).anyMatch(to -> to >= 0 && part.get(to));
      if (!steps && !moments.get(part.nextSetBit(0)).finished(test, thread)) {
        return false;
      }
      runs |= steps;
    }
    return runs;
  }
}
