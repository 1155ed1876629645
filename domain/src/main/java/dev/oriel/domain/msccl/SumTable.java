package dev.oriel.domain.msccl;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Numbers for sums: two sums have one number if they add the same inputs in the same order. Both
 * sides of one addition may change places, since that changes no floating-point result.
 */
final class SumTable {
  private final Map<Object, Integer> numbers = new HashMap<>();

  /** The number of an input. */
  int input(int gpu, CollectiveMemory.Chunk chunk) {
    return number(List.of(gpu, chunk));
  }

  /** The number of the sum of two sums. */
  int sum(int a, int b) {
    return number(List.of(Math.min(a, b), Math.max(a, b)));
  }

  private int number(Object key) {
    int next = numbers.size();
    return numbers.computeIfAbsent(key, sum -> next);
  }
}
