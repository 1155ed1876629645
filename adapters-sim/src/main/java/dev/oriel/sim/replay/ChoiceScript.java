package dev.oriel.sim.replay;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The choices of one execution, in order. After its end every choice is the default 0, so it has no
 * zeros at the end. Immutable.
 *
 * <p>Its text is the list of its deviations from the default: the number of defaults before each,
 * then the choice, both as numbers of {@link Base32}. The empty script is written "-".
 */
public final class ChoiceScript {
  /** The longest script. */
  public static final int MAX_LENGTH = 1 << 22;

  /** Every choice is the default. */
  public static final ChoiceScript DEFAULT = new ChoiceScript(new int[0]);

  private static final String EMPTY = "-";

  private final int[] choices;

  private ChoiceScript(int[] choices) {
    this.choices = choices;
  }

  /** The script of those choices. */
  public static ChoiceScript of(int... choices) {
    int end = choices.length;
    while (end > 0 && choices[end - 1] == 0) {
      end--;
    }
    if (end > MAX_LENGTH) {
      throw new ReplayException(
          "script too long: choices=%d, max=%d; give the execution fewer steps"
              .formatted(end, MAX_LENGTH));
    }
    for (int i = 0; i < end; i++) {
      if (choices[i] < 0) {
        throw new ReplayException(
            "negative choice: position=%d, choice=%d; use 0 or more".formatted(i, choices[i]));
      }
    }
    return new ChoiceScript(Arrays.copyOf(choices, end));
  }

  /** The script that {@link #toString} wrote. */
  public static ChoiceScript parse(String text) {
    if (text.equals(EMPTY)) {
      return DEFAULT;
    }
    if (text.isEmpty()) {
      throw new ReplayException("empty script: characters=0; write - for no deviation");
    }
    int[] choices = new int[16];
    int length = 0;
    Base32.Reader reader = new Base32.Reader(text);
    while (reader.more()) {
      long place = (long) length + reader.number();
      int choice = reader.number();
      if (place >= MAX_LENGTH) {
        throw new ReplayException(
            "script too long: choices=%d, max=%d; give the execution fewer steps"
                .formatted(place + 1, MAX_LENGTH));
      }
      if (choice == 0) {
        throw new ReplayException(
            "default among the deviations: position=%d, choice=0; count it with the defaults before"
                .formatted(place));
      }
      length = (int) place + 1;
      if (length > choices.length) {
        choices = Arrays.copyOf(choices, Math.max(length, 2 * choices.length));
      }
      choices[length - 1] = choice;
    }
    return new ChoiceScript(Arrays.copyOf(choices, length));
  }

  /** The choice at that position, which may be after the end. */
  public int at(int position) {
    return position < choices.length ? choices[position] : 0;
  }

  /** The position after the last deviation. */
  public int length() {
    return choices.length;
  }

  /** The positions of the deviations, ascending. */
  public List<Integer> deviations() {
    List<Integer> positions = new ArrayList<>();
    for (int i = 0; i < choices.length; i++) {
      if (choices[i] != 0) {
        positions.add(i);
      }
    }
    return positions;
  }

  /** The script with another choice at that position. */
  public ChoiceScript with(int position, int choice) {
    int[] changed = Arrays.copyOf(choices, Math.max(choices.length, position + 1));
    changed[position] = choice;
    return of(changed);
  }

  public int[] toArray() {
    return choices.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ChoiceScript s && Arrays.equals(choices, s.choices);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(choices);
  }

  /** The text form. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    int next = 0;
    for (int position : deviations()) {
      Base32.append(text, position - next);
      Base32.append(text, choices[position]);
      next = position + 1;
    }
    return text.isEmpty() ? EMPTY : text.toString();
  }
}
