package dev.oriel.sim.machine.lane;

import dev.oriel.ports.MachineException;
import dev.oriel.sim.code.OperandTable;
import dev.oriel.sim.machine.finding.Finding;
import dev.oriel.sim.machine.finding.Finding.Kind;
import dev.oriel.sim.machine.finding.FindingException;
import dev.oriel.sim.machine.layout.AgentLayout;
import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.memory.DataWords;
import dev.oriel.sim.machine.memory.SharedSubsystems;
import dev.oriel.sim.machine.settings.OrderingAssumptions;
import dev.oriel.sim.machine.state.MachineState;

/** Values of the operands of a lane's instructions, in a state. */
public final class LaneOperands {
  private final MachineModel model;
  private final AgentLayout agents;
  private final OperandTable operands;
  private final DataWords dataWords;
  private final OrderingAssumptions kept;
  private final int[] one = new int[1];

  public LaneOperands(SharedSubsystems shared) {
    model = shared.model;
    agents = model.agents;
    operands = model.code.operands();
    dataWords = shared.dataWords;
    kept = shared.kept;
  }

  long value(MachineState s, int lane, int operand) {
    return operands.value(operand, s.registers, model.firstRegister[lane]);
  }

  void set(MachineState s, int lane, int register, long value) {
    set(s, lane, register, value, 0);
  }

  /** Sets a register to a word with that origin. */
  void set(MachineState s, int lane, int register, long value, long origin) {
    int at = model.firstRegister[lane] + register;
    s.registers[at] = value;
    if (model.origins.on) {
      s.registers[model.registers + at] = origin;
    }
  }

  /** The origin of the operand's value: known for a register, otherwise computed. */
  long origin(MachineState s, int lane, int operand) {
    int register = model.origins.on ? OperandTable.registerOf(operand) : -1;
    return register < 0 ? 0 : s.registers[model.registers + model.firstRegister[lane] + register];
  }

  /** Whether all conditions of the list there hold. */
  boolean holds(MachineState s, int lane, int[] ops, int conditions) {
    return untrue(s, lane, ops, conditions) < 0;
  }

  /** The place of the first condition of the list that does not hold; negative if all do. */
  int untrue(MachineState s, int lane, int[] ops, int conditions) {
    for (int i = 0, at = conditions + 1; i < ops[conditions]; i++, at += 3) {
      if (!OperandTable.compares(
          ops[at], value(s, lane, ops[at + 1]), value(s, lane, ops[at + 2]))) {
        return at;
      }
    }
    return -1;
  }

  /** The ranks that an operand names; the array is valid until the next call. */
  int[] ranks(MachineState s, int lane, int ranks) {
    if (ranks >= 0) {
      return model.code.members(ranks);
    }
    one[0] = rank(value(s, lane, ~ranks));
    return one;
  }

  /** The first of the ranks that an operand names, for an operand with one rank. */
  int owner(MachineState s, int lane, int ranks) {
    return ranks(s, lane, ranks)[0];
  }

  boolean isRank(long value) {
    return value >= 0 && value < model.world;
  }

  int rank(long value) {
    if (!isRank(value)) {
      throw new FindingException(
          new Finding(
              Kind.BOUNDS,
              "no such rank: rank=%d, world=%d; name one of the world"
                  .formatted(value, model.world)));
    }
    return (int) value;
  }

  /** The slot of that source and index at the owner. */
  int slot(int owner, int signal, int source, long index) {
    int slot = model.words.slot(owner, signal, source, index);
    if (slot < 0) {
      throw new FindingException(
          new Finding(
              Kind.BOUNDS,
              "slot outside its row: signal=%s, index=%d, count=%d; declare more slots"
                  .formatted(model.signal(signal), index, model.words.slots(owner, signal))));
    }
    return slot;
  }

  /** The slots of all sources of the await at {@code at}. */
  int[] slots(MachineState s, int lane, int[] ops, int at, long index) {
    int[] sources = ranks(s, lane, ops[at + 3]);
    int[] slots = new int[sources.length];
    for (int i = 0; i < slots.length; i++) {
      slots[i] = slot(model.rank(lane), ops[at + 1], sources[i], index);
    }
    return slots;
  }

  /** The word of a buffer of that rank, at the offset of the operand. */
  int word(MachineState s, int lane, int rank, int buffer, int offset) {
    return dataWords.word(rank, buffer, value(s, lane, offset));
  }

  /** The lane's queue of that number; -1 if the lane never posts to it. */
  int anyQueue(MachineState s, int lane, int peer, int number) {
    int to = rank(value(s, lane, peer));
    return agents.queue(lane, to, kept.oneQueue ? 0 : (int) value(s, lane, number));
  }

  /** The lane's queue of that number, which must exist. */
  int queue(MachineState s, int lane, int peer, int number) {
    int queue = anyQueue(s, lane, peer, number);
    if (queue < 0) {
      throw new MachineException(
          "no queue to that peer: %s, peer=%d; queues are numbered from 0 to %d"
              .formatted(
                  model.laneName(lane), rank(value(s, lane, peer)), agents.queuesToPeer(lane) - 1));
    }
    return queue;
  }
}
