package dev.oriel.sim.code;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Flat code as it is written: its words, and the text of each instruction. */
final class CodeWriter {
  private final List<String> texts = new ArrayList<>();
  private final List<Integer> operations = new ArrayList<>();
  private int[] ops = new int[256];
  private int count;

  /** How many words there are so far: where the next instruction goes. */
  int count() {
    return count;
  }

  /** The words, for good. */
  int[] ops() {
    return Arrays.copyOf(ops, count);
  }

  List<String> texts() {
    return texts;
  }

  List<Integer> operations() {
    return operations;
  }

  /** How reports write the instruction that comes next, and which operation it serves. */
  void text(String text, int operation) {
    while (texts.size() <= count) {
      texts.add("");
      operations.add(-1);
    }
    texts.set(count, Wording.of(text));
    operations.set(count, operation);
  }

  /** The instruction that comes next is between operations. */
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

  /** Gives a word that is there another value. */
  void set(int at, int word) {
    ops[at] = word;
  }
}
