package dev.oriel.it.measure;

import dev.oriel.it.options.ExitCodes;
import java.util.Map;
import java.util.TreeMap;

/**
 * Preparations on GPUs in a phase that should have none: loads, allocations and creations by
 * replays of graphs that were replayed before.
 */
final class PreparationTally {
  private final Map<String, Long> preparations = new TreeMap<>();
  private long replays;

  /** Adds those of one program's replays. */
  void add(String program, long replayed, long prepared) {
    replays += replayed;
    if (prepared > 0) {
      preparations.merge(program, prepared, Long::sum);
    }
  }

  String line() {
    long all = preparations.values().stream().mapToLong(Long::longValue).sum();
    String wrong =
        preparations.isEmpty()
            ? ""
            : ", by=%s; a replay is to load, allocate and make nothing".formatted(preparations);
    return "steady   replays=%d, preparations=%d%s".formatted(replays, all, wrong);
  }

  int exit() {
    return preparations.isEmpty() ? ExitCodes.FINE : ExitCodes.VIOLATION;
  }
}
