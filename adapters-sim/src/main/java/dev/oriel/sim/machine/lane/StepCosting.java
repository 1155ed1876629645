package dev.oriel.sim.machine.lane;

import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.topology.PeerKind;
import dev.oriel.sim.code.AccessOrders;
import dev.oriel.sim.code.CopyLayout;
import dev.oriel.sim.code.LaneOpcode;
import dev.oriel.sim.code.OperandTable;
import dev.oriel.sim.machine.layout.CopyCombiners;
import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.provenance.SourceCombiner;
import dev.oriel.sim.machine.state.MachineState;
import dev.oriel.sim.machine.step.StepWork;
import dev.oriel.sim.machine.step.StepWork.Kind;

/** Describes the kind and the size of a lane's next step. */
@SuppressWarnings("EnumOrdinal") // flat code is made of ordinals
public final class StepCosting {
  private static final int NVLINK = PeerKind.NVLINK.ordinal();

  private final MachineModel model;
  private final OperandTable operands;
  private final LaneFamily.Engine[] engines;

  /** For each rank: whether other ranks reach it by loads and stores. */
  private final boolean[] mapped;

  public StepCosting(MachineModel model) {
    this.model = model;
    operands = model.code.operands();
    engines = new LaneFamily.Engine[model.lanes];
    for (int l = 0; l < engines.length; l++) {
      engines[l] = model.lane(l).engine();
    }
    mapped = new boolean[model.world];
    for (int r = 0; r < mapped.length; r++) {
      for (int peer = 0; peer < model.world; peer++) {
        mapped[r] |= model.kind(peer, r) == NVLINK;
      }
    }
  }

  /** Describes the next step of a lane that has not ended. */
  public void of(MachineState s, int lane, StepWork into) {
    int[] ops = model.lane(lane).ops();
    int at = s.at[lane];
    into.bytes = 0;
    into.words = 1;
    into.mapped = mapped[model.rank(lane)];
    into.engine = engines[lane];
    into.kind =
        switch (ops[at]) {
          case LaneOpcode.COPY -> copy(s, lane, ops, at, into);
          case LaneOpcode.BULK -> bulk(s, lane, ops, at, into);
          case LaneOpcode.WRITE_SLOT -> {
            into.words = ops[at + 3] < 0 ? 1 : model.code.members(ops[at + 3]).length;
            yield AccessOrders.releases(ops[at + 6]) ? Kind.RELEASE : Kind.SIGNAL;
          }
          case LaneOpcode.POLL_SLOT, LaneOpcode.POLL_WORD, LaneOpcode.LOCK -> Kind.AWAIT;
          case LaneOpcode.AWAIT_QUEUE -> Kind.COMPLETION;
          case LaneOpcode.LOAD, LaneOpcode.READ_SLOT -> Kind.LOAD;
          case LaneOpcode.STORE -> Kind.STORE;
          case LaneOpcode.RMW -> {
            into.mapped = first(s, lane, ops[at + 3]) != model.rank(lane);
            yield AccessOrders.posted(ops, at) ? Kind.STORE : Kind.ATOMIC;
          }
          case LaneOpcode.FENCE -> Kind.FENCE;
          case LaneOpcode.POST -> Kind.POST;
          case LaneOpcode.AWAIT_LANES, LaneOpcode.END -> Kind.END;
          default -> throw new AssertionError("no step: opcode=" + ops[at]);
        };
  }

  /**
   * Sets the bytes of the side that touches more, and whether the step reads another rank's memory.
   */
  private Kind copy(MachineState s, int lane, int[] ops, int at, StepWork into) {
    long length = operands.value(ops[at + 1], s.registers, model.firstRegister[lane]);
    int written = 0;
    for (int i = 0; i < CopyLayout.destinations(ops, at); i++) {
      int ranks = ops[CopyLayout.destination(at, i) + CopyLayout.RANKS];
      written += ranks < 0 ? 1 : model.code.members(ranks).length;
    }
    Kind kind = Kind.MOVE;
    into.mapped = false;
    long read = 0;
    SourceCombiner making = model.makings.of(s.registers, lane, at);
    for (int i = 0; i < CopyLayout.sources(ops, at); i++) {
      int place = CopyLayout.source(ops, at, i);
      read += CopyCombiners.taken(making, i, length);
      into.mapped |= first(s, lane, ops[place + CopyLayout.RANKS]) != model.rank(lane);
      if (ops[place + CopyLayout.FORMAT] >= 0) {
        kind = Kind.MOVE_PACKETS;
        into.mapped = mapped[model.rank(lane)];
      }
    }
    into.bytes = Math.max(read, length * written);
    return kind;
  }

  private Kind bulk(MachineState s, int lane, int[] ops, int at, StepWork into) {
    into.mapped = first(s, lane, ops[at + 6]) != model.rank(lane);
    into.bytes = operands.value(ops[at + 1], s.registers, model.firstRegister[lane]);
    return Kind.MOVE;
  }

  /** The first of the ranks that an operand names. */
  private long first(MachineState s, int lane, int ranks) {
    return ranks < 0
        ? operands.value(~ranks, s.registers, model.firstRegister[lane])
        : model.code.members(ranks)[0];
  }
}
