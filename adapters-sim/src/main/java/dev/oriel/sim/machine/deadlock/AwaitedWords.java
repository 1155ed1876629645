package dev.oriel.sim.machine.deadlock;

import dev.oriel.domain.packet.PacketFormat;
import dev.oriel.domain.window.Comparison;
import dev.oriel.sim.code.CopyLayout;
import dev.oriel.sim.code.LaneOpcode;
import dev.oriel.sim.machine.lane.CopySteps;
import dev.oriel.sim.machine.layout.CopyCombiners;
import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.memory.DataWords;
import dev.oriel.sim.machine.provenance.SourceCombiner;
import dev.oriel.sim.machine.state.MachineState;
import dev.oriel.sim.machine.words.SyncWords;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The words that a waiting lane needs, and the required value of each. */
@SuppressWarnings("EnumOrdinal") // flat code is made of ordinals
final class AwaitedWords {

  private final MachineModel model;
  private final SyncWords words;
  private final DataWords dataWords;

  AwaitedWords(MachineModel model, SyncWords words, DataWords dataWords) {
    this.model = model;
    this.words = words;
    this.dataWords = dataWords;
  }

  /**
   * A word that does not hold the required value yet.
   *
   * @param sender the only rank that writes it; -1 if any rank may
   */
  record MissingValue(int word, int sender, Comparison comparison, long wanted) {
    /** Whether the value is below 0, which comparisons without sign take for a large one. */
    boolean belowZero() {
      boolean unsigned = comparison == Comparison.GE || comparison == Comparison.GT;
      return unsigned && wanted < 0;
    }

    /** The required value as reports print it. */
    String wish() {
      return comparison.name().toLowerCase(Locale.ROOT) + " " + Long.toUnsignedString(wanted);
    }
  }

  /** Whether the lane waits for the sum of its words. */
  boolean sums(MachineState s, int lane) {
    int[] ops = model.lane(lane).ops();
    int at = s.at[lane];
    return ops[at] == LaneOpcode.POLL_SLOT && ops[at + 4] == 1;
  }

  /** The words that the lane's next instruction waits for; empty if it waits for no word. */
  List<MissingValue> of(MachineState s, int lane) {
    int[] ops = model.lane(lane).ops();
    int at = s.at[lane];
    List<MissingValue> needs = new ArrayList<>();
    switch (ops[at]) {
      case LaneOpcode.POLL_SLOT -> {
        long wanted = value(s, lane, ops[at + 6]);
        Comparison comparison = Comparison.values()[ops[at + 5]];
        boolean sum = ops[at + 4] == 1;
        for (int source : ranks(s, lane, ops[at + 3])) {
          long index = value(s, lane, ops[at + 2]);
          int slot = model.words.slot(model.rank(lane), ops[at + 1], source, index);
          if (sum || words.find(s, slot, lane, ops[at + 5], wanted) < 0) {
            needs.add(new MissingValue(slot, source, comparison, wanted));
          }
        }
      }
      case LaneOpcode.POLL_WORD -> {
        int word = dataWords.word(model.rank(lane), ops[at + 1], value(s, lane, ops[at + 2]));
        long wanted = value(s, lane, ops[at + 4]);
        needs.add(new MissingValue(word, -1, Comparison.values()[ops[at + 3]], wanted));
      }
      case LaneOpcode.LOCK -> {
        int owner = ranks(s, lane, ops[at + 2])[0];
        int word = dataWords.word(owner, ops[at + 1], value(s, lane, ops[at + 3]));
        needs.add(new MissingValue(word, -1, Comparison.EQ, 0));
      }
      case LaneOpcode.COPY -> packets(s, lane, ops, at, needs);
      default -> {}
    }
    return needs;
  }

  private void packets(MachineState s, int lane, int[] ops, int at, List<MissingValue> needs) {
    SourceCombiner making = model.makings.of(s.registers, lane, at);
    long length = value(s, lane, ops[at + 1]);
    for (int i = 0; i < CopyLayout.sources(ops, at); i++) {
      int place = CopyLayout.source(ops, at, i);
      if (ops[place + CopyLayout.FORMAT] < 0) {
        continue;
      }
      PacketFormat format = PacketFormat.values()[ops[place + CopyLayout.FORMAT]];
      int owner = ranks(s, lane, ops[place + CopyLayout.RANKS])[0];
      int offset = (int) value(s, lane, ops[place + CopyLayout.OFFSET]);
      int first = model.words.packet(model, owner, ops[place + CopyLayout.BUFFER], offset);
      long flag = value(s, lane, ops[place + CopyLayout.FLAG]);
      long taken = CopyCombiners.taken(making, i, length);
      for (int p = 0; p < format.count(taken); p++) {
        if (words.find(s, first + p, lane, CopySteps.EQUAL, flag) < 0) {
          needs.add(new MissingValue(first + p, -1, Comparison.EQ, flag));
        }
      }
    }
  }

  private long value(MachineState s, int lane, int operand) {
    return model.code.operands().value(operand, s.registers, model.firstRegister[lane]);
  }

  private int[] ranks(MachineState s, int lane, int ranks) {
    return ranks >= 0 ? model.code.members(ranks) : new int[] {(int) value(s, lane, ~ranks)};
  }
}
