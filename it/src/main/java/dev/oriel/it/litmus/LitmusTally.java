package dev.oriel.it.litmus;

import dev.oriel.it.options.ExitCodes;
import dev.oriel.sim.litmus.answer.CrossCheck;
import dev.oriel.sim.litmus.answer.LitmusVerdict;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The number of tests by answer, and of each unknown instruction. */
final class LitmusTally {
  private final Map<LitmusVerdict.Answer, Integer> answers =
      new EnumMap<>(LitmusVerdict.Answer.class);
  private final SortedMap<String, Integer> unsupported = new TreeMap<>();
  private int crossChecked;
  private int differing;
  private int malformed;
  private int skipped;

  void count(LitmusVerdict verdict) {
    answers.merge(verdict.answer(), 1, Integer::sum);
    CrossCheck.Result check = verdict.crossCheck().result();
    crossChecked += check == CrossCheck.Result.NONE ? 0 : 1;
    differing += check == CrossCheck.Result.DIFFERS ? 1 : 0;
    verdict.unsupported().forEach((name, times) -> unsupported.merge(name, times, Integer::sum));
  }

  void countMalformed() {
    malformed++;
  }

  void countSkipped() {
    skipped++;
  }

  /** The number of tests; skipped files do not count. */
  int files() {
    return malformed + answers.values().stream().mapToInt(Integer::intValue).sum();
  }

  int malformed() {
    return malformed;
  }

  int skipped() {
    return skipped;
  }

  /** The tests that both engines decided. */
  int crossChecked() {
    return crossChecked;
  }

  /** Those of them on which they differ. */
  int differing() {
    return differing;
  }

  /** The command's exit code: a defect of an engine has priority over a malformed test. */
  int exitCode() {
    return differing > 0
        ? ExitCodes.VIOLATION
        : malformed > 0 ? ExitCodes.WRONG_USE : ExitCodes.FINE;
  }

  int of(LitmusVerdict.Answer answer) {
    return answers.getOrDefault(answer, 0);
  }

  SortedMap<String, Integer> unsupported() {
    return Collections.unmodifiableSortedMap(unsupported);
  }
}
