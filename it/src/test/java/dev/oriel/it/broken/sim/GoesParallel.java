package dev.oriel.it.broken.sim;

import java.util.List;

/** Runs on a pool that the application did not pass. */
final class GoesParallel {
  long count(List<Integer> list) {
    return list.parallelStream().count();
  }
}
