package dev.oriel.sim.time;

import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.program.Op;
import dev.oriel.ports.MachineException;
import dev.oriel.sim.code.LaneInstructions;
import dev.oriel.sim.code.LaneOpcode;
import dev.oriel.sim.code.SharedCode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The values of loaded words. No byte is moved here, so the caller must supply them. A program that
 * loads other words, or words of one-sided calls, is refused before it starts.
 */
final class SuppliedWords {
  private final List<Map<Integer, Long>> byRegister = new ArrayList<>();

  SuppliedWords(SharedCode shared, Map<String, Long> words) {
    for (SharedCode.SharedLane lane : shared.lanes()) {
      byRegister.add(registers(lane, words));
    }
  }

  long word(int code, int register) {
    Long word = byRegister.get(code).get(register);
    if (word == null) {
      throw new AssertionError("refused before: register=" + register);
    }
    return word;
  }

  /** Loads occur in the code in the order of the text, so the two can be walked side by side. */
  private static Map<Integer, Long> registers(SharedCode.SharedLane lane, Map<String, Long> words) {
    List<String> names = new ArrayList<>();
    names(lane.lane().body(), names);
    Map<Integer, Long> found = new HashMap<>();
    LaneInstructions code = lane.code();
    int load = 0;
    for (int at = 0; at < code.ops().length; at++) {
      String text = code.text(at);
      if (text.isEmpty()) {
        continue;
      }
      switch (code.ops()[at]) {
        case LaneOpcode.LOAD -> {
          String name = names.get(load++);
          Long word = words.get(name);
          if (word == null) {
            throw refused(
                lane.lane(),
                text,
                "this driver moves no bytes, so it cannot know the word; supply it: " + name);
          }
          found.put(code.ops()[at + 1], word);
        }
        case LaneOpcode.READ_SLOT,
            LaneOpcode.RMW,
            LaneOpcode.POLL_WORD,
            LaneOpcode.LOCK,
            LaneOpcode.BULK,
            LaneOpcode.AWAIT_BULK,
            LaneOpcode.PROXY ->
            throw refused(lane.lane(), text, "this driver times programs of moves and signals");
        case LaneOpcode.POST -> {
          int request = code.ops()[at + 1];
          if (request > LaneOpcode.Request.READ_BACK
              && request != LaneOpcode.Request.WRITE_AND_SIGNAL) {
            throw refused(lane.lane(), text, "this driver times writes, reads and signals");
          }
        }
        default -> {}
      }
    }
    return found;
  }

  private static void names(List<Op> ops, List<String> into) {
    for (Op op : ops) {
      switch (op) {
        case Op.Load l -> into.add(l.register());
        case Op.If branch -> {
          names(branch.then(), into);
          names(branch.otherwise(), into);
        }
        case Op.For loop -> names(loop.body(), into);
        case Op.Each each -> names(each.body(), into);
        default -> {}
      }
    }
  }

  private static MachineException refused(LaneFamily lane, String step, String what) {
    return new MachineException(
        "time is not predictable: lane=%s, step=%s; %s".formatted(lane.name(), step, what));
  }
}
