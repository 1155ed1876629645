package dev.oriel.sim.machine.lane;

import dev.oriel.sim.code.AccessOrders;
import dev.oriel.sim.code.LaneOpcode;
import dev.oriel.sim.machine.fault.FaultInjector;
import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.memory.SharedSubsystems;
import dev.oriel.sim.machine.nic.RequestCompletions;
import dev.oriel.sim.machine.nic.RequestQueues;
import dev.oriel.sim.machine.settings.OrderingAssumptions;
import dev.oriel.sim.machine.state.MachineState;
import dev.oriel.sim.machine.words.SyncWords;

/** Whether a lane is enabled, and what it waits for if it is not. */
public final class LaneReadiness {
  private final MachineModel model;
  private final SyncWords words;
  private final FaultInjector faults;
  private final OrderingAssumptions kept;
  private final LaneOperands names;
  private final RequestQueues queues;
  private final RequestCompletions completions;
  private final CopySteps copies;
  private final PendingAtomics updates;
  private final MessageSums sums;

  public LaneReadiness(
      SharedSubsystems shared,
      LaneOperands names,
      RequestQueues queues,
      RequestCompletions completions,
      CopySteps copies,
      PendingAtomics updates,
      MessageSums sums) {
    model = shared.model;
    words = shared.words;
    faults = shared.faults;
    kept = shared.kept;
    this.names = names;
    this.queues = queues;
    this.completions = completions;
    this.copies = copies;
    this.updates = updates;
    this.sums = sums;
  }

  /** Whether the lane's next step is enabled. */
  public boolean enabled(MachineState s, int lane) {
    if (s.ended[lane] || s.at[lane] < 0) {
      return false;
    }
    int[] ops = model.lane(lane).ops();
    int at = s.at[lane];
    boolean failed = s.failure[lane] != 0;
    if (faults.any && s.aborted[model.rank(lane)] && waits(s, lane)) {
      // An aborted lane does not continue at a wait: it gives up.
      return false;
    }
    if (updates.any(s, lane) && afterUpdates(s, lane, ops, at)) {
      return false;
    }
    if (kept.waits(ops[at]) && !completions.completedAll(s, lane)) {
      return false;
    }
    return switch (ops[at]) {
      case LaneOpcode.POLL_SLOT -> failed || satisfiable(s, lane, ops, at);
      case LaneOpcode.COPY -> failed || copies.arrived(s, lane, at);
      case LaneOpcode.POLL_WORD ->
          failed
              || words.find(
                      s,
                      names.word(s, lane, model.rank(lane), ops[at + 1], ops[at + 2]),
                      lane,
                      ops[at + 3],
                      names.value(s, lane, ops[at + 4]))
                  >= 0;
      case LaneOpcode.LOCK ->
          failed
              || words.last(
                      s,
                      names.word(
                          s, lane, names.owner(s, lane, ops[at + 2]), ops[at + 1], ops[at + 3]))
                  == 0;
      case LaneOpcode.AWAIT_LANES -> {
        boolean all = true;
        for (int other : model.code.members(ops[at + 1])) {
          all &= s.ended[other];
        }
        yield all;
      }
      case LaneOpcode.AWAIT_QUEUE -> {
        int queue = names.anyQueue(s, lane, ops[at + 1], ops[at + 2]);
        yield queue < 0 || completions.completed(s, queue);
      }
      case LaneOpcode.POST -> queues.hasRoom(s, s.wantedQueue[lane]);
      default -> true;
    };
  }

  /** Whether the lane's next step must wait for pending atomics of its own. */
  private boolean afterUpdates(MachineState s, int lane, int[] ops, int at) {
    if (s.failure[lane] != 0 && OrderSensitiveSteps.calls(ops[at])) {
      return false;
    }
    return switch (ops[at]) {
      case LaneOpcode.END -> true;
      case LaneOpcode.FENCE -> ops[at + 1] > MachineModel.CTA;
      case LaneOpcode.WRITE_SLOT ->
          (AccessOrders.releases(ops[at + 6]) && ops[at + 7] > MachineModel.CTA) || kept.releases;
      case LaneOpcode.RMW -> {
        boolean any = !AccessOrders.posted(ops, at) && AccessOrders.releases(ops[at + 8]);
        for (int owner : names.ranks(s, lane, ops[at + 3])) {
          int word = names.word(s, lane, owner, ops[at + 2], ops[at + 4]);
          any |= !AccessOrders.posted(ops, at) && updates.any(s, lane, word, 1);
        }
        yield any;
      }
      case LaneOpcode.LOCK -> {
        int owner = names.owner(s, lane, ops[at + 2]);
        int word = names.word(s, lane, owner, ops[at + 1], ops[at + 3]);
        yield updates.any(s, lane, word, 1);
      }
      case LaneOpcode.POLL_WORD, LaneOpcode.STORE ->
          overlaps(s, lane, ops[at + 1], names.value(s, lane, ops[at + 2]), Long.BYTES);
      case LaneOpcode.LOAD ->
          overlaps(s, lane, ops[at + 2], names.value(s, lane, ops[at + 3]), Long.BYTES);
      case LaneOpcode.COPY -> copies.afterUpdates(s, lane, at, updates);
      case LaneOpcode.BULK ->
          copies.meetsUpdates(s, lane, ops, at, 2, updates)
              || copies.meetsUpdates(s, lane, ops, at, 5, updates);
      default -> false;
    };
  }

  private boolean overlaps(MachineState s, int lane, int buffer, long offset, int length) {
    return updates.any(s, lane, model.rank(lane), buffer, offset, length);
  }

  private boolean satisfiable(MachineState s, int lane, int[] ops, int at) {
    if (s.wantedSlot[lane] >= 0) {
      return words.find(s, s.wantedSlot[lane], lane, ops[at + 5], s.wantedValue[lane]) >= 0;
    }
    long index = names.value(s, lane, ops[at + 2]);
    long expected = names.value(s, lane, ops[at + 6]);
    int rank = model.rank(lane);
    if (ops[at + 4] == 1) {
      return sums.satisfiable(s, names.slots(s, lane, ops, at, index), lane, ops[at + 5], expected);
    }
    for (int source : names.ranks(s, lane, ops[at + 3])) {
      if (words.find(s, names.slot(rank, ops[at + 1], source, index), lane, ops[at + 5], expected)
          < 0) {
        return false;
      }
    }
    return true;
  }

  /** Whether the lane is at an instruction that waits. */
  public boolean waits(MachineState s, int lane) {
    if (s.ended[lane] || s.at[lane] < 0) {
      return false;
    }
    int op = model.lane(lane).ops()[s.at[lane]];
    return op == LaneOpcode.POLL_SLOT
        || op == LaneOpcode.POLL_WORD
        || op == LaneOpcode.COPY
        || op == LaneOpcode.LOCK
        || op == LaneOpcode.AWAIT_QUEUE;
  }

  /** Whether the lane is at a lock. */
  public boolean locks(MachineState s, int lane) {
    return model.scan.anyLock && model.lane(lane).ops()[s.at[lane]] == LaneOpcode.LOCK;
  }

  /** The queue that alone decides whether the lane's next step is enabled; -1 if there is none. */
  public int heldBy(MachineState s, int lane) {
    int at = s.at[lane];
    if (s.ended[lane] || at < 0) {
      return -1;
    }
    int[] ops = model.lane(lane).ops();
    return switch (ops[at]) {
      case LaneOpcode.POST -> s.wantedQueue[lane];
      case LaneOpcode.AWAIT_QUEUE -> names.anyQueue(s, lane, ops[at + 1], ops[at + 2]);
      default -> -1;
    };
  }

  /** Whether the lane is at a request. */
  public boolean posts(MachineState s, int lane) {
    return model.lane(lane).ops()[s.at[lane]] == LaneOpcode.POST;
  }
}
