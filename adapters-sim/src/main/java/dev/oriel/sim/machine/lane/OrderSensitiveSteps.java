package dev.oriel.sim.machine.lane;

import dev.oriel.domain.program.Atomic;
import dev.oriel.sim.code.AccessOrders;
import dev.oriel.sim.code.LaneOpcode;
import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.state.MachineState;
import dev.oriel.sim.machine.step.StepFootprint;

/** The steps of lanes that depend on when they are taken, and the words that they depend on. */
@SuppressWarnings("EnumOrdinal") // flat code is made of ordinals
public final class OrderSensitiveSteps {
  private final MachineModel model;
  private final LaneOperands names;
  private final PendingAtomics updates;
  private final MissedAwaits missed;

  public OrderSensitiveSteps(
      MachineModel model, LaneOperands names, PendingAtomics updates, MissedAwaits missed) {
    this.model = model;
    this.names = names;
    this.updates = updates;
    this.missed = missed;
  }

  /** Whether the result of the lane's next step depends on when it is taken. */
  public boolean open(MachineState s, int lane) {
    int[] ops = model.lane(lane).ops();
    int at = s.at[lane];
    if (missed.mayMiss(s, lane)) {
      return true;
    }
    return switch (ops[at]) {
      case LaneOpcode.POLL_SLOT -> ops[at + 4] == 1 || model.scan.uneven(ops[at + 1]);
      case LaneOpcode.POLL_WORD ->
          s.failure[lane] == 0 && model.words.uneven(polled(s, lane, ops, at));
      case LaneOpcode.READ_SLOT, LaneOpcode.LOCK -> true;
      case LaneOpcode.FENCE -> ops[at + 2] == 1;
      case LaneOpcode.RMW -> !updates.on || !AccessOrders.posted(ops, at);
      case LaneOpcode.WRITE_SLOT -> model.scan.contended(ops[at + 1]);
      default -> false;
    };
  }

  /** The word of the lane's await. */
  private int polled(MachineState s, int lane, int[] ops, int at) {
    return names.word(s, lane, model.rank(lane), ops[at + 1], ops[at + 2]);
  }

  /** Notes the words that the lane's open step will read or change. */
  public void intent(MachineState s, int lane, StepFootprint into) {
    int[] ops = model.lane(lane).ops();
    int at = s.at[lane];
    if (s.failure[lane] != 0 && calls(ops[at])) {
      return;
    }
    switch (ops[at]) {
      case LaneOpcode.POLL_SLOT -> {
        for (int slot : names.slots(s, lane, ops, at, names.value(s, lane, ops[at + 2]))) {
          into.read(slot);
        }
      }
      case LaneOpcode.POLL_WORD -> {
        if (s.failure[lane] == 0) {
          into.read(polled(s, lane, ops, at));
        }
      }
      // All strict fences share one additional word.
      case LaneOpcode.FENCE -> into.changed(model.words.count);
      case LaneOpcode.READ_SLOT -> {
        int source = names.owner(s, lane, ops[at + 4]);
        long index = names.value(s, lane, ops[at + 3]);
        into.read(names.slot(model.rank(lane), ops[at + 2], source, index));
      }
      case LaneOpcode.WRITE_SLOT -> {
        long index = names.value(s, lane, ops[at + 2]);
        for (int owner : names.ranks(s, lane, ops[at + 3])) {
          into.changed(names.slot(owner, ops[at + 1], model.rank(lane), index));
        }
      }
      case LaneOpcode.RMW -> {
        for (int owner : names.ranks(s, lane, ops[at + 3])) {
          int word = names.word(s, lane, owner, ops[at + 2], ops[at + 4]);
          if (ops[at + 5] == Atomic.FETCH.ordinal()) {
            into.read(word);
          } else {
            into.changed(word);
          }
        }
      }
      case LaneOpcode.LOCK -> {
        int owner = names.owner(s, lane, ops[at + 2]);
        into.changed(names.word(s, lane, owner, ops[at + 1], ops[at + 3]));
      }
      default -> {}
    }
  }

  /** Whether it is a step of a call; a failed lane executes none. */
  static boolean calls(int opcode) {
    return opcode == LaneOpcode.READ_SLOT || opcode == LaneOpcode.RMW || opcode == LaneOpcode.LOCK;
  }
}
