package dev.oriel.it.broken.sim;

import java.util.List;

/** Runs on a pool that nobody passed. */
final class GoesParallel {
  long count(List<Integer> list) {
    return list.parallelStream().count();
  }
}
