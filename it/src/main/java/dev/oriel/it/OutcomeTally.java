package dev.oriel.it;

import dev.oriel.sim.litmus.HardwareTest;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** How often copies of a litmus test ended how. */
final class OutcomeTally {
  private final HardwareTest test;
  private final Map<List<Long>, long[]> counts = new HashMap<>();

  OutcomeTally(HardwareTest test) {
    this.test = test;
  }

  /** Counts copies; word w of copy c stands at {@code w * copies + c}. */
  void add(long[] registers, long[] memory, int copies) {
    for (int c = 0; c < copies; c++) {
      List<Long> outcome = test.outcome(row(registers, copies, c), row(memory, copies, c));
      if (test.counts(outcome)) {
        counts.computeIfAbsent(outcome, o -> new long[1])[0]++;
      }
    }
  }

  private static List<Long> row(long[] words, int copies, int copy) {
    List<Long> row = new ArrayList<>(words.length / copies);
    for (int at = copy; at < words.length; at += copies) {
      row.add(words[at]);
    }
    return row;
  }

  long samples() {
    return counts.values().stream().mapToLong(count -> count[0]).sum();
  }

  /** How many different outcomes were seen. */
  int outcomes() {
    return counts.size();
  }

  /** How many samples ended as the model does not allow. */
  long outside() {
    return counts.entrySet().stream()
        .filter(e -> !test.allows(e.getKey()))
        .mapToLong(e -> e.getValue()[0])
        .sum();
  }

  /** A line for each outcome, by values; those that the condition asks for are marked. */
  void print(PrintWriter out) {
    counts.entrySet().stream()
        .sorted((a, b) -> compare(a.getKey(), b.getKey()))
        .forEach(e ->
            out.printf(
                "    %12d  %s%s%s%n",
                e.getValue()[0],
                test.described(e.getKey()),
                test.satisfies(e.getKey()) ? "  asked for" : "",
                test.allows(e.getKey()) ? "" : "  OUTSIDE THE MODEL"));
  }

  private static int compare(List<Long> a, List<Long> b) {
    for (int i = 0; i < a.size(); i++) {
      int order = Long.compare(a.get(i), b.get(i));
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }
}
