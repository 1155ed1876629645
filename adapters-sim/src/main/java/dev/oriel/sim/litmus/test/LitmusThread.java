package dev.oriel.sim.litmus.test;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * One thread of a test: its number in the text, its placement, initial register values and code.
 */
public record LitmusThread(
    int number,
    ThreadPlacement placement,
    Map<String, Long> registers,
    List<LitmusInstruction> code) {

  /**
   * Whether an update is relaxed, no code uses its result, and no other instruction overwrites
   * that. Then it may be performed later than it is issued.
   */
  public boolean posts(LitmusInstruction.Atomic atomic) {
    String to = atomic.to();
    Set<String> used = new TreeSet<>();
    int assignments = 0;
    for (LitmusInstruction instruction : code) {
      LiveRegisters.used(instruction, used);
      assignments += to != null && to.equals(LiveRegisters.assigned(instruction)) ? 1 : 0;
    }
    return atomic.order() == MemoryOrder.RELAXED
        && (to == null || (assignments == 1 && !used.contains(to)));
  }
}
