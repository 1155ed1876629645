package dev.oriel.it.options;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * The values of one parameter as {@code --set} and {@code --vary} take them: {@code 16}, the range
 * {@code 0..6} with both ends, or a list of values and ranges such as {@code 0..2,15,16}.
 *
 * @param values ascending, without duplicates
 */
public record ParamValues(List<Long> values) {
  /** The most combinations of a check, and therefore the most values of a parameter. */
  public static final int MOST = 1000;

  private static final String RANGE = "..";

  public ParamValues {
    values = List.copyOf(values);
  }

  /**
   * Parses them.
   *
   * @throws IllegalArgumentException naming the part of the text that is invalid
   */
  public static ParamValues parse(String option, String param, String text) {
    TreeSet<Long> values = new TreeSet<>();
    for (String part : text.split(",", -1)) {
      if (part.isEmpty()) {
        throw bad("no value", option, param, text, "give numbers or ranges such as 0..6,15,16");
      }
      values.addAll(part(option, param, text, part));
    }
    if (values.size() > MOST) {
      throw tooMany(option, param, text);
    }
    return new ParamValues(new ArrayList<>(values));
  }

  private static List<Long> part(String option, String param, String text, String part) {
    int at = part.indexOf(RANGE);
    if (at < 0) {
      return List.of(number(option, param, part));
    }
    String from = part.substring(0, at);
    String to = part.substring(at + RANGE.length());
    if (from.isEmpty() || to.isEmpty()) {
      throw bad("range without an end", option, param, text, "give both ends, such as 0..6");
    }
    long first = number(option, param, from);
    long last = number(option, param, to);
    if (first > last) {
      throw bad("range backwards", option, param, text, "give the smaller end first");
    }
    // The difference of two numbers of different signs may overflow.
    if (last - first < 0 || last - first >= MOST) {
      throw tooMany(option, param, text);
    }
    List<Long> values = new ArrayList<>();
    for (long value = first; value <= last; value++) {
      values.add(value);
    }
    return values;
  }

  private static long number(String option, String param, String text) {
    try {
      return OptionNumbers.size(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "not a number: option=%s, parameter=%s, value=%s; give a whole number, or a size such as 64KiB"
              .formatted(option, param, text),
          e);
    }
  }

  private static IllegalArgumentException bad(
      String what, String option, String param, String text, String instead) {
    return new IllegalArgumentException(
        "%s: option=%s, parameter=%s, value=%s; %s".formatted(what, option, param, text, instead));
  }

  private static IllegalArgumentException tooMany(String option, String param, String text) {
    return new IllegalArgumentException(
        "too many values: option=%s, parameter=%s, value=%s, max=%d; give fewer"
            .formatted(option, param, text, MOST));
  }
}
