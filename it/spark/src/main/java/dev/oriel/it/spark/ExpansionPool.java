package dev.oriel.it.spark;

import dev.oriel.sim.levels.SearchJob;
import dev.oriel.sim.search.LevelExpansion;
import java.util.ArrayDeque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Expansions of a worker that wait for the next task: they recall steps, which makes them faster.
 * Only those of the last job are kept.
 */
final class ExpansionPool {
  private static final ArrayDeque<LevelExpansion> WAITING = new ArrayDeque<>();
  private static @Nullable SearchJob last;
  private static int lastParts;

  private ExpansionPool() {}

  /** An expansion for one thread. */
  static LevelExpansion take(SearchJob job, int parts) {
    return waiting(job, parts).orElseGet(() -> LevelExpansion.of(job, parts));
  }

  private static synchronized Optional<LevelExpansion> waiting(SearchJob job, int parts) {
    if (!job.equals(last) || parts != lastParts) {
      WAITING.clear();
      last = job;
      lastParts = parts;
    }
    return Optional.ofNullable(WAITING.poll());
  }

  /** An expansion that a thread no longer needs. */
  static synchronized void give(SearchJob job, int parts, LevelExpansion expansion) {
    if (job.equals(last) && parts == lastParts) {
      WAITING.push(expansion);
    }
  }
}
