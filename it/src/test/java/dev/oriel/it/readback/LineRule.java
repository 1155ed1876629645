package dev.oriel.it.readback;

import dev.oriel.it.readback.Event.Kind;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Rule <i>line</i>: no step names the place of a lane's epoch and state words, so this rule does.
 * Every thread loads them. Thread 0 stores each once, the epoch last, after a barrier that follows
 * all loads: of the block, or of the warp if the block is one warp. No other agent reads the line
 * before the kernel has ended, except a lane that joins this one; for that lane the epoch is
 * released.
 */
final class LineRule {
  private static final int WARP = 32;

  private final long line;
  private final boolean joined;
  private final int threads;
  private final Map<Long, Set<Integer>> loaded = new HashMap<>();
  private final Map<Long, Long> stored = new HashMap<>();
  private int lastLoad = -1;
  private int firstStore = Integer.MAX_VALUE;
  private int warpMet = -1;

  LineRule(long line, boolean joined, int threads) {
    this.line = line;
    this.joined = joined;
    this.threads = threads;
  }

  /** Whether the event is an access of the line; events arrive in the order of each thread. */
  boolean takes(Event e, int interval) {
    if (e.kind() == Kind.WARP && e.thread() == 0 && threads == WARP) {
      warpMet = lastLoad;
    }
    long word = e.place().address() - line;
    if (word < 0 || word >= Layout.LINE || e.place().bytes() != Long.BYTES) {
      return false;
    }
    if (e.kind() == Kind.LOAD && e.weak()) {
      lastLoad = interval;
      return loaded.computeIfAbsent(word, w -> new HashSet<>()).add(e.thread());
    }
    boolean releases = joined && word == 0;
    if (e.thread() == 0
        && e.is(Kind.STORE, releases ? "release" : "weak", releases ? "gpu" : "")
        && !stored.containsKey(0L)
        && !stored.containsKey(word)) {
      firstStore = Math.min(firstStore, warpMet == interval ? interval + 1 : interval);
      stored.put(word, e.values().getFirst());
      return true;
    }
    return false;
  }

  /**
   * At the lane's end: the epoch and all state words are stored, and every thread has loaded them.
   */
  void check(List<Long> words) {
    for (int i = 0; i < words.size(); i++) {
      long word = (long) Long.BYTES * i;
      if (loaded.getOrDefault(word, Set.of()).size() != threads) {
        throw new Mismatch("not every thread loads word %d of the lane's line".formatted(i));
      }
      if (!words.get(i).equals(stored.get(word))) {
        throw new Mismatch(
            "word %d of the lane's line: stored=%s, wanted=%d"
                .formatted(i, stored.get(word), words.get(i)));
      }
    }
    if (firstStore <= lastLoad) {
      throw new Mismatch("the lane's line is stored before every thread has loaded it");
    }
  }
}
