package dev.oriel.sim.litmus.test;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The loops of a thread's code: from a place that is jumped back to, to the last such jump. */
public final class Loops {
  private final SortedMap<Integer, Integer> ends = new TreeMap<>();

  public Loops(List<Instruction> code) {
    for (int i = 0; i < code.size(); i++) {
      int target = target(code.get(i), i + 1);
      if (target <= i) {
        ends.put(target, i);
      }
    }
  }

  private static int target(Instruction instruction, int otherwise) {
    return switch (instruction) {
      case Instruction.Jump jump -> jump.target();
      case Instruction.Branch branch -> branch.target();
      default -> otherwise;
    };
  }

  public boolean none() {
    return ends.isEmpty();
  }

  public boolean head(int instruction) {
    return ends.containsKey(instruction);
  }

  /** Whether the branch at {@code at} decides if the loop of that head goes on. */
  public boolean controls(Instruction.Branch branch, int at, int head) {
    Integer end = ends.get(head);
    if (end == null || at < head || at > end) {
      return false;
    }
    return branch.target() <= head || branch.target() > end || at == end;
  }
}
