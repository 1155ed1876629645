package dev.oriel.it.litmus;

import dev.oriel.sim.litmus.kernel.HardwareTest;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts the outcomes of copies of a litmus test. Nearly all words are small, so the words of a
 * copy are packed into one number and counted by it, without an outcome object.
 */
final class OutcomeTally {
  private static final int BITS = 3;
  private static final int PACKED_WORDS = 5;

  private final HardwareTest test;
  private final long[] packed = new long[1 << (BITS * PACKED_WORDS)];
  private final Map<List<Long>, long[]> counts = new HashMap<>();
  private long gaveUp;

  OutcomeTally(HardwareTest test) {
    this.test = test;
  }

  /**
   * Counts copies; word w of copy c is at {@code w * copies + c}.
   *
   * @param registers the values that copies reported
   */
  void add(long[] registers, long[] memory, int copies) {
    boolean few = (registers.length + memory.length) / copies <= PACKED_WORDS;
    int[] sample = new int[packed.length];
    for (int c = 0; c < copies; c++) {
      long key = few ? key(memory, copies, c, key(registers, copies, c, 0)) : -1;
      if (key < 0) {
        add(registers, memory, copies, c, 1);
      } else {
        packed[(int) key]++;
        sample[(int) key] = c;
      }
    }
    for (int key = 0; key < packed.length; key++) {
      if (packed[key] > 0) {
        add(registers, memory, copies, sample[key], packed[key]);
        packed[key] = 0;
      }
    }
  }

  /** Appends the copy's words to the key; negative if one is not small. */
  private static long key(long[] words, int copies, int copy, long key) {
    long whole = key;
    for (int at = copy; at < words.length && whole >= 0; at += copies) {
      whole = words[at] >>> BITS == 0 ? (whole << BITS) | words[at] : -1;
    }
    return whole;
  }

  private void add(long[] registers, long[] memory, int copies, int copy, long times) {
    List<Long> reported = row(registers, copies, copy);
    if (!test.ended(reported)) {
      gaveUp += times;
      return;
    }
    List<Long> outcome = test.outcome(reported, row(memory, copies, copy));
    if (test.counts(outcome)) {
      counts.computeIfAbsent(outcome, o -> new long[1])[0] += times;
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

  /** The number of copies that gave up and are no samples. */
  long gaveUp() {
    return gaveUp;
  }

  /** The number of different outcomes. */
  int outcomes() {
    return counts.size();
  }

  /** The number of samples that the model forbids. */
  long outside() {
    return counts.entrySet().stream()
        .filter(e -> !test.allows(e.getKey()))
        .mapToLong(e -> e.getValue()[0])
        .sum();
  }

  /** A line for each outcome, by values; those that satisfy the condition are marked. */
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
