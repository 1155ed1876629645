package dev.oriel.sim.replay;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Reads fault plans: faults separated by semicolons, each a word and its numbers in any order.
 * Errors count faults from 1.
 */
final class FaultParser {
  static final String NONE = "none";
  static final int MAX_TEXT = 8_192;

  private final int number;
  private final String text;

  private FaultParser(int number, String text) {
    this.number = number;
    this.text = text;
  }

  static FaultPlan parse(String text) {
    if (text.length() > MAX_TEXT) {
      throw new ReplayException(
          "fault plan too long: characters=%d, max=%d; drop some faults"
              .formatted(text.length(), MAX_TEXT));
    }
    if (text.equals(NONE)) {
      return FaultPlan.NONE;
    }
    List<Fault> faults = new ArrayList<>();
    for (String one : text.split(";", -1)) {
      faults.add(new FaultParser(faults.size() + 1, one.strip()).fault());
    }
    return new FaultPlan(faults);
  }

  private Fault fault() {
    if (text.isEmpty()) {
      throw wrong("missing fault", "write " + NONE + ", or one of: " + FaultKind.known());
    }
    String[] words = text.split(" +", -1);
    FaultKind kind =
        Arrays.stream(FaultKind.values())
            .filter(k -> k.spelling().equals(words[0]))
            .findFirst()
            .orElseThrow(() -> wrong("unknown fault", "known: " + FaultKind.known()));
    int[] values = new int[kind.keys().size()];
    Arrays.fill(values, -1);
    for (int i = 1; i < words.length; i++) {
      int equals = words[i].indexOf('=');
      int key = equals < 0 ? -1 : kind.keys().indexOf(words[i].substring(0, equals));
      if (key < 0) {
        throw wrong("unknown number " + ReplayException.shown(words[i]), "write " + usage(kind));
      }
      if (values[key] >= 0) {
        throw wrong("number given twice: key=" + kind.keys().get(key), "write " + usage(kind));
      }
      values[key] = value(words[i].substring(equals + 1));
    }
    for (int i = 0; i < values.length; i++) {
      if (values[i] < 0) {
        throw wrong("missing number: key=" + kind.keys().get(i), "write " + usage(kind));
      }
    }
    return kind.of(values);
  }

  private int value(String digits) {
    boolean plain =
        !digits.isEmpty()
            && digits.length() <= 10
            && digits.chars().allMatch(c -> c >= '0' && c <= '9');
    long value = plain ? Long.parseLong(digits) : -1;
    if (value < 0 || value > Fault.MAX_NUMBER) {
      throw wrong(
          "not a number " + ReplayException.shown(digits),
          "use decimal digits, at most " + Fault.MAX_NUMBER);
    }
    return (int) value;
  }

  private static String usage(FaultKind kind) {
    return kind.spelling() + " " + String.join("=… ", kind.keys()) + "=…";
  }

  private ReplayException wrong(String what, String fix) {
    return new ReplayException(
        "%s: fault=%d, text=%s; %s".formatted(what, number, ReplayException.shown(text), fix));
  }
}
