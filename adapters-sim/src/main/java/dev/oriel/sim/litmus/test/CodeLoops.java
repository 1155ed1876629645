package dev.oriel.sim.litmus.test;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** The loops of a thread's code: from the target of a backward jump to the last such jump. */
public final class CodeLoops {
  private final SortedMap<Integer, Integer> ends = new TreeMap<>();

  /** Heads of loops that an unconditional jump leaves or closes. */
  private final Set<Integer> jumps = new HashSet<>();

  public CodeLoops(List<LitmusInstruction> code) {
    for (int i = 0; i < code.size(); i++) {
      int target = target(code.get(i), i + 1);
      if (target <= i) {
        ends.put(target, i);
      }
    }
    ends.forEach((head, end) -> {
      for (int i = head; i <= end; i++) {
        if (code.get(i) instanceof LitmusInstruction.Jump j
            && (j.target() <= head || j.target() > end)) {
          jumps.add(head);
        }
      }
    });
  }

  private static int target(LitmusInstruction instruction, int otherwise) {
    return switch (instruction) {
      case LitmusInstruction.Jump jump -> jump.target();
      case LitmusInstruction.Branch branch -> branch.target();
      default -> otherwise;
    };
  }

  public boolean none() {
    return ends.isEmpty();
  }

  public boolean head(int instruction) {
    return ends.containsKey(instruction);
  }

  /**
   * Whether the branch at {@code at} may decide if the loop with that head continues: it leaves or
   * closes the loop, or leads to or past a jump that does.
   */
  public boolean controls(LitmusInstruction.Branch branch, int at, int head) {
    Integer end = ends.get(head);
    if (end == null || at < head || at > end) {
      return false;
    }
    boolean itself = branch.target() <= head || branch.target() > end || at == end;
    return itself || jumps.contains(head);
  }
}
