package dev.oriel.sim.trial;

import dev.oriel.sim.search.Strategy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** How many mutants each strategy killed, and after how many executions. */
final class KillTable {
  private final Map<Strategy, List<Long>> checked = new EnumMap<>(Strategy.class);
  private final Map<Strategy, List<Long>> valued = new EnumMap<>(Strategy.class);
  private int trials;
  private int refused;

  void add(MutantTrial trial) {
    trials++;
    refused += trial.refusal().isEmpty() ? 0 : 1;
    trial.checked().forEach((s, n) -> checked.computeIfAbsent(s, k -> new ArrayList<>()).add(n));
    trial.valued().forEach((s, n) -> valued.computeIfAbsent(s, k -> new ArrayList<>()).add(n));
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append("trials=%d, refused at binding=%d%n".formatted(trials, refused));
    text.append("%-16s %26s %26s%n".formatted("", "every detector", "results alone"));
    for (Strategy s : TrialRunner.STRATEGIES) {
      text.append(
          "%-16s %26s %26s%n"
              .formatted(
                  s.spelling(),
                  column(checked.getOrDefault(s, List.of())),
                  s == Strategy.SYNCHRONISATION ? "" : column(valued.getOrDefault(s, List.of()))));
    }
    return text.toString();
  }

  private static String column(List<Long> counts) {
    if (counts.isEmpty()) {
      return "0";
    }
    List<Long> sorted = new ArrayList<>(counts);
    Collections.sort(sorted);
    double mean = sorted.stream().mapToLong(n -> n).average().orElse(0);
    return "%d, mean %.2f, max %d".formatted(sorted.size(), mean, sorted.getLast());
  }
}
