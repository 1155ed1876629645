package dev.oriel.it;

import dev.oriel.sim.litmus.LitmusVerdict;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** How many tests were answered how, and how often each unknown instruction was met. */
final class LitmusTally {
  private final Map<LitmusVerdict.Answer, Integer> answers =
      new EnumMap<>(LitmusVerdict.Answer.class);
  private final SortedMap<String, Integer> unsupported = new TreeMap<>();
  private int malformed;
  private int skipped;

  void count(LitmusVerdict verdict) {
    answers.merge(verdict.answer(), 1, Integer::sum);
    verdict.unsupported().forEach((name, times) -> unsupported.merge(name, times, Integer::sum));
  }

  void countMalformed() {
    malformed++;
  }

  void countSkipped() {
    skipped++;
  }

  /** The tests met; what was skipped is none. */
  int files() {
    return malformed + answers.values().stream().mapToInt(Integer::intValue).sum();
  }

  int malformed() {
    return malformed;
  }

  int skipped() {
    return skipped;
  }

  int of(LitmusVerdict.Answer answer) {
    return answers.getOrDefault(answer, 0);
  }

  SortedMap<String, Integer> unsupported() {
    return Collections.unmodifiableSortedMap(unsupported);
  }
}
