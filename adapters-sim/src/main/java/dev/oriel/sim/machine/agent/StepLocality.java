package dev.oriel.sim.machine.agent;

import dev.oriel.sim.code.CopyLayout;
import dev.oriel.sim.code.LaneInstructions;
import dev.oriel.sim.code.LaneOpcode;
import dev.oriel.sim.machine.layout.AgentLayout;
import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import dev.oriel.sim.machine.state.MachineState;
import dev.oriel.sim.replay.TimeoutPolicy;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The parts of a state that a step may read or write, for programs for which they are known. Parts
 * are ranks, then queues. A caller uses its rank. A lane uses its rank and the one queue or the
 * memories of its instruction. A stage uses its queue and one end of it.
 */
public final class StepLocality {
  private static final int STAGES = 4;

  private final MachineModel model;

  /**
   * Lists of parts, by number: a rank; a queue with its rank, and with its peer; ranks of
   * instructions.
   */
  public final int[][] lists;

  /** For each lane, by place in its code: the list of ranks that the instruction uses. */
  private final int[][] named;

  public StepLocality(MachineModel model) {
    this.model = model;
    AgentLayout agents = model.agents;
    List<int[]> all = new ArrayList<>();
    for (int r = 0; r < model.world; r++) {
      all.add(new int[] {r});
    }
    for (int q = 0; q < agents.queues; q++) {
      all.add(new int[] {model.rank(agents.queueLane[q]), model.world + q});
    }
    for (int q = 0; q < agents.queues; q++) {
      all.add(new int[] {agents.queuePeer[q], model.world + q});
    }
    named = new int[model.lanes][];
    for (int l = 0; l < model.lanes; l++) {
      named[l] = named(model.lane(l), all);
    }
    lists = all.toArray(int[][]::new);
  }

  /** Whether the parts are known for all steps of a program under those settings. */
  public static boolean known(MachineModel model, ExecutionSettings settings) {
    boolean plain =
        !model.profile.ordered()
            && !model.profile.proxy()
            && settings.timeouts() == TimeoutPolicy.NEVER
            && settings.faults().faults().isEmpty()
            && settings.detectors().lacking().isEmpty();
    // Any lane may read words of buffers, and a strict fence is ordered after those of all lanes.
    boolean local = !model.scan.strict && model.scan.wordBuffers.isEmpty();
    return plain && local && IntStream.range(0, model.lanes).allMatch(l -> own(model, l));
  }

  /** Whether the lane waits for packets of its own rank only. */
  private static boolean own(MachineModel model, int lane) {
    LaneInstructions code = model.lane(lane);
    int[] ops = code.ops();
    for (int at = 0; at < ops.length; at = code.next(at)) {
      if (ops[at] != LaneOpcode.COPY) {
        continue;
      }
      for (int i = 0; i < CopyLayout.sources(ops, at); i++) {
        int place = CopyLayout.source(ops, at, i);
        BitSet owners = owners(model, ops[place + CopyLayout.RANKS]);
        if (ops[place + CopyLayout.FORMAT] >= 0
            && !(owners.cardinality() == 1 && owners.get(code.rank()))) {
          return false;
        }
      }
    }
    return true;
  }

  /** The ranks that an operand may name. */
  private static BitSet owners(MachineModel model, int ranks) {
    BitSet owners = new BitSet();
    for (int rank : model.code.mayName(ranks)) {
      owners.set(rank);
    }
    return owners;
  }

  private int[] named(LaneInstructions code, List<int[]> all) {
    int[] ops = code.ops();
    int[] numbers = new int[ops.length];
    for (int at = 0; at < ops.length; at = code.next(at)) {
      BitSet others = new BitSet();
      switch (ops[at]) {
        case LaneOpcode.COPY -> copy(ops, at, others);
        case LaneOpcode.BULK -> {
          others.or(owners(model, ops[at + 3]));
          others.or(owners(model, ops[at + 6]));
        }
        case LaneOpcode.WRITE_SLOT -> others.or(owners(model, ops[at + 3]));
        default -> {}
      }
      others.clear(code.rank());
      numbers[at] = others.isEmpty() ? code.rank() : all.size();
      if (!others.isEmpty()) {
        all.add(IntStream.concat(IntStream.of(code.rank()), others.stream()).toArray());
      }
    }
    return numbers;
  }

  private void copy(int[] ops, int at, BitSet into) {
    for (int d = 0; d < CopyLayout.destinations(ops, at); d++) {
      into.or(owners(model, ops[CopyLayout.destination(at, d) + CopyLayout.RANKS]));
    }
    for (int i = 0; i < CopyLayout.sources(ops, at); i++) {
      into.or(owners(model, ops[CopyLayout.source(ops, at, i) + CopyLayout.RANKS]));
    }
  }

  /** The list of the lane's next step; {@code heldBy} is a queue, or -1. */
  int ofLane(MachineState s, int lane, int heldBy) {
    if (heldBy >= 0) {
      return model.world + heldBy;
    }
    return s.at[lane] < 0 ? model.rank(lane) : named[lane][s.at[lane]];
  }

  /** The list of a step of the queue's stage of that number: fetch and fill are local. */
  int ofStage(int queue, int stage) {
    boolean local = stage % (STAGES - 1) == 0;
    return model.world + (local ? 0 : model.agents.queues) + queue;
  }
}
