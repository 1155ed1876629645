package dev.oriel.sim.litmus;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** One thread of a test: its number in the text, its place, first register values and code. */
record LitmusThread(
    int number, Placement placement, Map<String, Long> registers, List<Instruction> code) {

  /**
   * Whether an update is relaxed and none of the code needs its result, which no other instruction
   * overwrites either: then it may be performed later than it is issued.
   */
  boolean posts(Instruction.Atomic atomic) {
    String to = atomic.to();
    if (atomic.order() != MemoryOrder.RELAXED) {
      return false;
    }
    Set<String> used = new TreeSet<>();
    for (Instruction instruction : code) {
      LiveRegisters.used(instruction, used);
      if (instruction != atomic && to != null && to.equals(LiveRegisters.assigned(instruction))) {
        return false;
      }
    }
    return to == null || !used.contains(to);
  }
}
