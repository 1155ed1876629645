package dev.oriel.sim.machine;

import dev.oriel.sim.code.Opcode;
import dev.oriel.sim.code.Orders;
import dev.oriel.sim.machine.layout.Model;
import dev.oriel.sim.machine.terms.Kept;

/** Whether a lane is enabled, and what it waits for if it is not. */
final class Readiness {
  private final Model model;
  private final Words words;
  private final Faults faults;
  private final Kept kept;
  private final LaneOperands names;
  private final Queues queues;
  private final Completions completions;
  private final Copies copies;
  private final Updates updates;
  private final Sums sums;

  Readiness(
      Shared shared,
      LaneOperands names,
      Queues queues,
      Completions completions,
      Copies copies,
      Updates updates,
      Sums sums) {
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
  boolean enabled(State s, int lane) {
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
    if (updates.any(s, lane) && behindUpdates(s, lane, ops, at)) {
      return false;
    }
    if (kept.waits(ops[at]) && !completions.completedAll(s, lane)) {
      return false;
    }
    return switch (ops[at]) {
      case Opcode.POLL_SLOT -> failed || satisfiable(s, lane, ops, at);
      case Opcode.COPY -> failed || copies.arrived(s, lane, at);
      case Opcode.POLL_WORD ->
          failed
              || words.find(
                      s,
                      names.word(s, lane, model.rank(lane), ops[at + 1], ops[at + 2]),
                      lane,
                      ops[at + 3],
                      names.value(s, lane, ops[at + 4]))
                  >= 0;
      case Opcode.LOCK ->
          failed
              || words.last(
                      s,
                      names.word(
                          s, lane, names.owner(s, lane, ops[at + 2]), ops[at + 1], ops[at + 3]))
                  == 0;
      case Opcode.AWAIT_LANES -> {
        boolean all = true;
        for (int other : model.code.members(ops[at + 1])) {
          all &= s.ended[other];
        }
        yield all;
      }
      case Opcode.AWAIT_QUEUE -> {
        int queue = names.anyQueue(s, lane, ops[at + 1], ops[at + 2]);
        yield queue < 0 || completions.completed(s, queue);
      }
      case Opcode.POST -> queues.hasRoom(s, s.wantedQueue[lane]);
      default -> true;
    };
  }

  /** Whether the lane's next step must wait for pending atomics of its own. */
  private boolean behindUpdates(State s, int lane, int[] ops, int at) {
    if (s.failure[lane] != 0 && OpenSteps.calls(ops[at])) {
      return false;
    }
    return switch (ops[at]) {
      case Opcode.END -> true;
      case Opcode.FENCE -> ops[at + 1] > Model.CTA;
      case Opcode.WRITE_SLOT ->
          (Orders.releases(ops[at + 6]) && ops[at + 7] > Model.CTA) || kept.releases;
      case Opcode.RMW -> {
        boolean any = !Orders.posted(ops, at) && Orders.releases(ops[at + 8]);
        for (int owner : names.ranks(s, lane, ops[at + 3])) {
          int word = names.word(s, lane, owner, ops[at + 2], ops[at + 4]);
          any |= !Orders.posted(ops, at) && updates.any(s, lane, word, 1);
        }
        yield any;
      }
      case Opcode.LOCK -> {
        int owner = names.owner(s, lane, ops[at + 2]);
        int word = names.word(s, lane, owner, ops[at + 1], ops[at + 3]);
        yield updates.any(s, lane, word, 1);
      }
      case Opcode.POLL_WORD, Opcode.STORE ->
          overlaps(s, lane, ops[at + 1], names.value(s, lane, ops[at + 2]), Long.BYTES);
      case Opcode.LOAD ->
          overlaps(s, lane, ops[at + 2], names.value(s, lane, ops[at + 3]), Long.BYTES);
      case Opcode.COPY -> copies.behindUpdates(s, lane, at, updates);
      case Opcode.BULK ->
          copies.meetsUpdates(s, lane, ops, at, 2, updates)
              || copies.meetsUpdates(s, lane, ops, at, 5, updates);
      default -> false;
    };
  }

  private boolean overlaps(State s, int lane, int buffer, long offset, int length) {
    return updates.any(s, lane, model.rank(lane), buffer, offset, length);
  }

  private boolean satisfiable(State s, int lane, int[] ops, int at) {
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
  boolean waits(State s, int lane) {
    if (s.ended[lane] || s.at[lane] < 0) {
      return false;
    }
    int op = model.lane(lane).ops()[s.at[lane]];
    return op == Opcode.POLL_SLOT
        || op == Opcode.POLL_WORD
        || op == Opcode.COPY
        || op == Opcode.LOCK
        || op == Opcode.AWAIT_QUEUE;
  }

  /** Whether the lane is at a lock. */
  boolean locks(State s, int lane) {
    return model.scan.anyLock && model.lane(lane).ops()[s.at[lane]] == Opcode.LOCK;
  }

  /** The queue that alone decides whether the lane's next step is enabled; -1 if there is none. */
  int heldBy(State s, int lane) {
    int at = s.at[lane];
    if (s.ended[lane] || at < 0) {
      return -1;
    }
    int[] ops = model.lane(lane).ops();
    return switch (ops[at]) {
      case Opcode.POST -> s.wantedQueue[lane];
      case Opcode.AWAIT_QUEUE -> names.anyQueue(s, lane, ops[at + 1], ops[at + 2]);
      default -> -1;
    };
  }

  /** Whether the lane is at a request. */
  boolean posts(State s, int lane) {
    return model.lane(lane).ops()[s.at[lane]] == Opcode.POST;
  }
}
