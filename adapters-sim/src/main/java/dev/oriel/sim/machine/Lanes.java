package dev.oriel.sim.machine;

import dev.oriel.domain.program.Proxy;
import dev.oriel.sim.code.LaneCode;
import dev.oriel.sim.code.Opcode;
import dev.oriel.sim.machine.finding.Endless;
import dev.oriel.sim.machine.layout.Agents;
import dev.oriel.sim.machine.layout.Model;
import dev.oriel.sim.machine.terms.Kept;
import dev.oriel.sim.replay.Choices;
import java.util.Arrays;

/**
 * Steps of lanes. Between steps a lane is at an instruction that other agents can observe.
 * Instructions that only the lane itself can observe are executed at once.
 */
@SuppressWarnings("EnumOrdinal") // flat code is made of ordinals
final class Lanes {
  /** Unobservable instructions between two steps; more of them are an endless loop. */
  private static final int MAX_QUIET = 1_000_000;

  /** The failure of a lane that timed out or was aborted. */
  static final int ABANDONED = -1;

  private static final int ALIAS = Proxy.ALIAS.ordinal();

  private final Model model;
  private final Agents agents;
  private final Clocks clocks;
  private final Words words;
  private final Footprint footprint;
  private final Kept kept;
  private final Reports reports;
  private final LaneOperands names;
  private final Completions completions;
  private final Copies copies;
  private final Updates updates;
  private final MissedAwaits missed;
  private final SlotSteps slotSteps;
  private final WordSteps wordSteps;
  private final Posting posting;
  private final Skips skips;

  Lanes(
      Shared shared,
      LaneOperands names,
      Completions completions,
      Copies copies,
      Updates updates,
      MissedAwaits missed,
      SlotSteps slotSteps,
      WordSteps wordSteps,
      Posting posting) {
    model = shared.model;
    agents = model.agents;
    clocks = shared.clocks;
    words = shared.words;
    footprint = words.footprint;
    kept = shared.kept;
    reports = shared.reports;
    this.names = names;
    this.completions = completions;
    this.copies = copies;
    this.updates = updates;
    this.missed = missed;
    this.slotSteps = slotSteps;
    this.wordSteps = wordSteps;
    this.posting = posting;
    skips = new Skips(model);
  }

  /** Begins a launch of the lane. */
  void begin(State s, int lane) {
    s.at[lane] = 0;
    s.failure[lane] = 0;
    s.ended[lane] = false;
    s.registers[model.firstRegister[lane] + LaneCode.EPOCH]++;
    clocks.begin(s, lane, agents.caller[model.rank(lane)]);
    settle(s, lane);
  }

  /** Ends the lane's launch early, without any further effect that others can observe. */
  void abandon(State s, int lane) {
    s.failure[lane] = ABANDONED;
    s.ended[lane] = true;
  }

  /** Whether the lane has only the end of its launch left. */
  boolean idle(State s, int lane) {
    int at = s.at[lane];
    return !s.ended[lane] && at >= 0 && model.lane(lane).ops()[at] == Opcode.END;
  }

  /**
   * Begins the lane's steps anew in the same launch, with new values in the words after the epoch.
   */
  void call(State s, int lane, long[] values) {
    System.arraycopy(
        values, 0, s.registers, model.firstRegister[lane] + LaneCode.EPOCH + 1, values.length);
    if (model.origins.on) {
      int origins = model.registers + model.firstRegister[lane] + LaneCode.EPOCH + 1;
      Arrays.fill(s.registers, origins, origins + values.length, 0);
    }
    s.at[lane] = 0;
    settle(s, lane);
  }

  /** Skips the rest of the lane's steps. */
  void endCall(State s, int lane) {
    s.at[lane] = model.lane(lane).end();
  }

  /** Takes the lane's next step, which is enabled. */
  void step(State s, int lane, Choices branch) {
    LaneCode code = model.lane(lane);
    int[] ops = code.ops();
    int at = s.at[lane];
    boolean failed = s.failure[lane] != 0;
    reports.step(s, lane, at);
    if (missed.mayMiss(s, lane) && branch.choose(2) == 1) {
      missed.miss(s, lane);
      return;
    }
    if (kept.waits(ops[at])) {
      completions.awaitAll(s, lane);
    }
    if (kept.storesInOrder) {
      clocks.storesInOrder(s, lane);
    }
    if (kept.releasesBefore(ops[at])) {
      clocks.barrier(s, lane);
      clocks.release(s, lane, model.levels - 1);
    }
    if (kept.fencesBefore(ops[at])) {
      meetAndFence(s, lane);
    }
    switch (ops[at]) {
      case Opcode.COPY -> {
        if (!failed) {
          copies.copy(s, lane, at, branch);
        }
      }
      case Opcode.BULK -> {
        if (!failed) {
          if (kept.bulkOrdered) {
            clocks.orderBulk(s, lane);
          }
          copies.bulk(s, lane, at, branch);
          if (kept.unitsEnd) {
            clocks.bulkEnded(s, lane);
          }
        }
      }
      case Opcode.WRITE_SLOT -> slotSteps.write(s, lane, ops, at);
      case Opcode.POLL_SLOT -> {
        if (!failed) {
          slotSteps.poll(s, lane, ops, at, branch);
        }
        if (kept.acquires) {
          consist(s, lane);
        }
      }
      case Opcode.AWAIT_LANES -> {
        for (int other : model.code.members(ops[at + 1])) {
          clocks.joined(s, other, lane);
        }
      }
      case Opcode.LOAD -> wordSteps.load(s, lane, ops, at, branch);
      case Opcode.STORE -> {
        if (!failed) {
          wordSteps.store(s, lane, ops, at);
        }
      }
      case Opcode.READ_SLOT -> {
        if (failed) {
          names.set(s, lane, ops[at + 1], 0);
        } else {
          slotSteps.read(s, lane, ops, at, branch);
        }
      }
      case Opcode.RMW -> {
        if (!failed) {
          wordSteps.rmw(s, lane, ops, at, branch);
        }
      }
      case Opcode.POLL_WORD -> {
        if (!failed) {
          wordSteps.poll(s, lane, ops, at, branch);
        }
      }
      case Opcode.LOCK -> {
        if (!failed) {
          wordSteps.lock(s, lane, ops, at);
        }
      }
      case Opcode.POST -> posting.post(s, lane, ops, at, failed);
      case Opcode.FENCE -> fence(s, lane, ops, at);
      case Opcode.AWAIT_QUEUE -> {
        int queue = names.anyQueue(s, lane, ops[at + 1], ops[at + 2]);
        if (queue >= 0) {
          completions.await(s, queue);
        }
      }
      case Opcode.END -> {
        updates.over(s, lane);
        s.ended[lane] = true;
        return;
      }
      default -> throw new AssertionError("no step: opcode=" + ops[at]);
    }
    if (kept.acquiresAll) {
      consist(s, lane);
    }
    if (kept.acquiresBehind(ops, at)) {
      clocks.acquire(s, lane, model.levels - 1);
      clocks.barrier(s, lane);
      consist(s, lane);
    }
    if (kept.fencesBehind(ops[at])) {
      meetAndFence(s, lane);
      consist(s, lane);
    }
    if (kept.syncs) {
      clocks.barrier(s, lane);
    }
    s.at[lane] = code.next(at);
    settle(s, lane);
  }

  /** Executes up to the next instruction that other agents can observe. */
  private void settle(State s, int lane) {
    LaneCode code = model.lane(lane);
    int[] ops = code.ops();
    for (int i = 0; i < MAX_QUIET; i++) {
      int at = skips.from(lane, s.at[lane]);
      int next = code.next(at);
      s.at[lane] = at;
      switch (ops[at]) {
        case Opcode.JUMP -> next = ops[at + 1];
        case Opcode.UNLESS -> next = names.holds(s, lane, ops, at + 1) ? next : ops[next - 1];
        case Opcode.UNLESS_KIND -> {
          // A failed lane skips the call anyway, so its data may name no valid rank.
          long peer = names.value(s, lane, ops[at + 1]);
          next =
              s.failure[lane] != 0 && !names.isRank(peer)
                  ? ops[at + 3]
                  : model.kind(model.rank(lane), names.rank(peer)) == ops[at + 2]
                      ? next
                      : ops[at + 3];
        }
        case Opcode.SET -> {
          long value = names.value(s, lane, ops[at + 2]);
          names.set(s, lane, ops[at + 1], value, names.origin(s, lane, ops[at + 2]));
        }
        case Opcode.CHECK -> {
          int untrue = s.failure[lane] != 0 ? -1 : names.untrue(s, lane, ops, at + 1);
          if (untrue >= 0) {
            s.failure[lane] = ops[next - 1];
            long found = names.value(s, lane, ops[untrue + 1]);
            reports.failed(lane, at, found, ops[untrue], names.value(s, lane, ops[untrue + 2]));
          }
        }
        case Opcode.BAR -> clocks.barrier(s, lane);
        case Opcode.FENCE -> {
          if (updates.any(s, lane) || ops[at + 2] == 1) {
            return;
          }
          fence(s, lane, ops, at);
        }
        case Opcode.CONSIST -> consist(s, lane);
        case Opcode.AWAIT_BULK -> clocks.bulkEnded(s, lane);
        case Opcode.PROXY -> {
          if (ops[at + 1] == ALIAS) {
            clocks.orderNamesOf(s, lane);
          } else {
            clocks.orderBulk(s, lane);
          }
        }
        case Opcode.POLL_SLOT -> {
          slotSteps.want(s, lane, ops, at);
          return;
        }
        case Opcode.POST -> {
          posting.aim(s, lane, ops, at);
          return;
        }
        default -> {
          return;
        }
      }
      s.at[lane] = next;
    }
    throw new Endless(model.laneName(lane), MAX_QUIET);
  }

  private void meetAndFence(State s, int lane) {
    clocks.barrier(s, lane);
    clocks.fence(s, lane, model.levels - 1);
    clocks.barrier(s, lane);
  }

  private void fence(State s, int lane, int[] ops, int at) {
    if (!updates.any(s, lane)) {
      updates.over(s, lane);
    }
    int scope = ops[at + 1];
    int level = model.level(scope);
    boolean strict = ops[at + 2] == 1;
    if (strict) {
      footprint.changed(model.words.count);
      clocks.afterStrictFences(s, lane, scope);
    }
    clocks.acquire(s, lane, level);
    if (ops[model.lane(lane).next(at)] == Opcode.CONSIST) {
      // An order is one step: what it releases is visible.
      consist(s, lane);
    }
    clocks.release(s, lane, level);
    if (strict) {
      clocks.strictFence(s, lane, level);
    }
  }

  /** Makes writes of its rank's interfaces visible, as far as the lane is ordered after them. */
  private void consist(State s, int lane) {
    clocks.consist(s, lane);
    words.consist(s, lane);
  }
}
