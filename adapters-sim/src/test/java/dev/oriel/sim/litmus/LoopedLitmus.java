package dev.oriel.sim.litmus;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.StringJoiner;

/**
 * A random litmus test of two threads, one or both of which run a loop that a read decides. It is
 * written with the loop, or unrolled with a known number of rounds. The unrolled text keeps the
 * branches, since later events depend on the read, but their targets are the next line.
 */
final class LoopedLitmus {
  private static final String[] PLACES = {"cta 0,gpu 0", "cta 0,gpu 0", "cta 1,gpu 0"};
  private static final String[] SCOPES = {"cta", "gpu", "sys"};

  /** Instructions with {@code %s} for the register that they set, if they set one. */
  private record Part(List<String> code) {
    List<String> lines(String register) {
      List<String> lines = new ArrayList<>();
      for (int i = 0; i < code.size(); i++) {
        lines.add(code.get(i).formatted(register + i));
      }
      return lines;
    }

    boolean sets(int instruction) {
      return code.get(instruction).contains("%s");
    }
  }

  /** {@code decider} is the instruction of the body that is compared with {@code value}. */
  private record Looping(
      String place, Part before, Part body, int decider, String goesOn, int value, Part after) {
    boolean loops() {
      return !body.code().isEmpty();
    }
  }

  private final SplittableRandom random;
  private final boolean tidy;
  private final List<Looping> threads = new ArrayList<>();

  /** In a tidy test all accesses are strong at one scope, and mostly of one location. */
  private LoopedLitmus(SplittableRandom random) {
    this.random = random;
    tidy = random.nextBoolean();
    int loops = random.nextInt(4) == 0 ? 2 : 1;
    for (int t = 0; t < 2; t++) {
      boolean looping = t < loops;
      Part body = looping ? body() : new Part(List.of());
      List<Integer> setters = new ArrayList<>();
      for (int i = 0; i < body.code().size(); i++) {
        if (body.sets(i)) {
          setters.add(i);
        }
      }
      threads.add(
          new Looping(
              pick(PLACES),
              part(random.nextInt(looping ? 2 : 3)),
              body,
              looping ? setters.get(random.nextInt(setters.size())) : -1,
              pick("bne", "bne", "beq"),
              random.nextInt(3),
              part(random.nextInt(2))));
    }
  }

  static LoopedLitmus draw(SplittableRandom random) {
    return new LoopedLitmus(random);
  }

  private Part body() {
    while (true) {
      Part part = part(1 + random.nextInt(2));
      for (int i = 0; i < part.code().size(); i++) {
        if (part.sets(i)) {
          return part;
        }
      }
    }
  }

  private Part part(int size) {
    List<String> code = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      code.add(instruction());
    }
    return new Part(code);
  }

  private String instruction() {
    String x = random.nextInt(tidy ? 6 : 2) == 0 ? "y" : "x";
    String at = tidy ? ".sys" : "." + pick(SCOPES);
    boolean weak = !tidy && random.nextInt(3) == 0;
    String value = pick("0", "1", "1", "2");
    return switch (random.nextInt(8)) {
      case 0, 1 -> "ld%s %%s, %s".formatted(weak ? ".weak" : pick(".relaxed", ".acquire") + at, x);
      case 2, 3 ->
          "st%s %s, %s".formatted(weak ? ".weak" : pick(".relaxed", ".release") + at, x, value);
      case 4 -> "atom%s%s.exch %%s, %s, %s".formatted(pick(".relaxed", ".acquire"), at, x, value);
      case 5, 6 ->
          "atom%s%s.cas %%s, %s, %s, %s"
              .formatted(pick(".relaxed", ".acq_rel"), at, x, pick("0", "1"), value);
      default -> "atom.relaxed%s.add %%s, %s, 1".formatted(at, x);
    };
  }

  private String pick(String... from) {
    return from[random.nextInt(from.length)];
  }

  /** The number of rounds to unroll: more than two, with few enough events. */
  int rounds() {
    boolean small = threads.stream().mapToInt(t -> t.body().code().size()).sum() == 1;
    return small ? 4 : 3;
  }

  /** Whether some loop updates memory, and no loop only stores. */
  boolean updates() {
    return threads.stream().anyMatch(t -> t.body().code().stream().anyMatch(c -> c.contains("at")))
        && threads.stream()
            .noneMatch(t -> t.body().code().stream().anyMatch(c -> c.contains("st.")));
  }

  /** The test with its loops; nothing satisfies its condition. */
  String looped() {
    List<List<String>> columns = new ArrayList<>();
    StringJoiner observed = new StringJoiner("; ");
    for (int t = 0; t < threads.size(); t++) {
      Looping thread = threads.get(t);
      List<String> column = new ArrayList<>(thread.before().lines("a"));
      if (thread.loops()) {
        column.add("L%d:".formatted(t));
        column.addAll(thread.body().lines("b"));
        column.add(
            "%s b%d, %d, L%d".formatted(thread.goesOn(), thread.decider(), thread.value(), t));
      }
      column.addAll(thread.after().lines("c"));
      columns.add(column);
      names(t, "b").forEach(observed::add);
    }
    return text(columns, observed.toString());
  }

  /** The test with that many rounds of each loop, and the values that each round reads. */
  String unrolled(int[] rounds) {
    List<List<String>> columns = new ArrayList<>();
    StringJoiner observed = new StringJoiner("; ");
    for (int t = 0; t < threads.size(); t++) {
      Looping thread = threads.get(t);
      List<String> column = new ArrayList<>(thread.before().lines("a"));
      for (int round = 0; thread.loops() && round < rounds[t]; round++) {
        column.addAll(thread.body().lines(round(round)));
        String label = "M%d%s".formatted(t, round(round));
        column.add(
            "%s %s%d, %d, %s"
                .formatted(thread.goesOn(), round(round), thread.decider(), thread.value(), label));
        column.add(label + ":");
        if (round + 1 < rounds[t]) {
          observed.add("P%d:%s%d".formatted(t, round(round), thread.decider()));
        }
      }
      column.addAll(thread.after().lines("c"));
      columns.add(column);
      names(t, round(rounds[t] - 1)).forEach(observed::add);
    }
    return text(columns, observed.toString());
  }

  private static String round(int round) {
    return "b" + (char) ('a' + round);
  }

  /** The registers that a thread leaves, with those of its body renamed. */
  private List<String> names(int t, String body) {
    Looping thread = threads.get(t);
    List<String> names = new ArrayList<>();
    add(names, t, thread.before(), "a");
    add(names, t, thread.body(), body);
    add(names, t, thread.after(), "c");
    return names;
  }

  private static void add(List<String> names, int t, Part part, String register) {
    for (int i = 0; i < part.code().size(); i++) {
      if (part.sets(i)) {
        names.add("P%d:%s%d".formatted(t, register, i));
      }
    }
  }

  /**
   * The registers and places of {@link #looped}, with the names that they have after those rounds.
   */
  List<String> lasting(int[] rounds) {
    List<String> names = new ArrayList<>(List.of("x", "y"));
    for (int t = 0; t < threads.size(); t++) {
      names.addAll(names(t, rounds[t] == 0 ? "b" : round(rounds[t] - 1)));
    }
    return names;
  }

  /** Whether a round of a thread's loop that read this value is the last one. */
  boolean ends(int t, long read) {
    boolean equal = read == threads.get(t).value();
    return threads.get(t).goesOn().equals("bne") == equal;
  }

  /** The register that decides in that round of a thread. */
  String decider(int t, int round) {
    return "P%d:%s%d".formatted(t, round(round), threads.get(t).decider());
  }

  boolean loops(int t) {
    return threads.get(t).loops();
  }

  private String text(List<List<String>> columns, String registers) {
    StringBuilder text = new StringBuilder("PTX looped\n{ x=0; y=0; }\n");
    text.append("P0@%s | P1@%s ;\n".formatted(threads.get(0).place(), threads.get(1).place()));
    int rows = Math.max(columns.get(0).size(), columns.get(1).size());
    for (int row = 0; row < rows; row++) {
      int now = row;
      text.append(
              String.join(
                  " | ", columns.stream().map(c -> now < c.size() ? c.get(now) : "").toList()))
          .append(" ;\n");
    }
    return text.append("locations [x; y; %s]\nexists (x == 99)\n".formatted(registers)).toString();
  }
}
