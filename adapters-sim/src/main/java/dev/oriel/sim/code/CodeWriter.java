package dev.oriel.sim.code;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Flat code under construction: its words, and the text of each instruction. */
final class CodeWriter {
  private final List<String> texts = new ArrayList<>();
  private final List<Integer> operations = new ArrayList<>();
  private int[] ops = new int[256];
  private int count;

  /** The number of words so far, which is the place of the next instruction. */
  int count() {
    return count;
  }

  /** The final words. */
  int[] ops() {
    return Arrays.copyOf(ops, count);
  }

  List<String> texts() {
    return texts;
  }

  List<Integer> operations() {
    return operations;
  }

  /** Sets the text of the next instruction for reports, and the operation to which it belongs. */
  void text(String text, int operation) {
    while (texts.size() <= count) {
      texts.add("");
      operations.add(-1);
    }
    texts.set(count, StepDescription.of(text));
    operations.set(count, operation);
  }

  /** The next instruction belongs to no operation. */
  void silent() {
    text("", -1);
  }

  void emit(int... words) {
    if (count + words.length > ops.length) {
      ops = Arrays.copyOf(ops, 2 * (count + words.length));
    }
    System.arraycopy(words, 0, ops, count, words.length);
    count += words.length;
  }

  /** Replaces a word that was already written. */
  void set(int at, int word) {
    ops[at] = word;
  }
}
