package dev.oriel.sim.machine.lane;

import dev.oriel.domain.program.Proxy;
import dev.oriel.sim.code.LaneInstructions;
import dev.oriel.sim.code.LaneOpcode;
import dev.oriel.sim.machine.clocks.ComponentClocks;
import dev.oriel.sim.machine.finding.EndlessLaneException;
import dev.oriel.sim.machine.layout.AgentLayout;
import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.memory.SharedSubsystems;
import dev.oriel.sim.machine.nic.RequestCompletions;
import dev.oriel.sim.machine.report.FindingReporter;
import dev.oriel.sim.machine.settings.OrderingAssumptions;
import dev.oriel.sim.machine.state.MachineState;
import dev.oriel.sim.machine.step.StepFootprint;
import dev.oriel.sim.machine.words.SyncWords;
import dev.oriel.sim.replay.ChoiceSource;
import java.util.Arrays;

/**
 * Steps of lanes. Between steps a lane is at an instruction that other agents can observe.
 * Instructions that only the lane itself can observe are executed at once.
 */
@SuppressWarnings("EnumOrdinal") // flat code is made of ordinals
public final class LaneSteps {
  /** Unobservable instructions between two steps; more of them are an endless loop. */
  private static final int MAX_QUIET = 1_000_000;

  /** The failure of a lane that timed out or was aborted. */
  public static final int ABANDONED = -1;

  private static final int ALIAS = Proxy.ALIAS.ordinal();

  private final MachineModel model;
  private final AgentLayout agents;
  private final ComponentClocks clocks;
  private final SyncWords words;
  private final StepFootprint footprint;
  private final OrderingAssumptions kept;
  private final FindingReporter reports;
  private final LaneOperands names;
  private final RequestCompletions completions;
  private final CopySteps copies;
  private final PendingAtomics updates;
  private final MissedAwaits missed;
  private final SlotSteps slotSteps;
  private final WordSteps wordSteps;
  private final PostingSteps posting;
  private final JumpThreading skips;

  public LaneSteps(
      SharedSubsystems shared,
      LaneOperands names,
      RequestCompletions completions,
      CopySteps copies,
      PendingAtomics updates,
      MissedAwaits missed,
      SlotSteps slotSteps,
      WordSteps wordSteps,
      PostingSteps posting) {
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
    skips = new JumpThreading(model);
  }

  /** Begins a launch of the lane. */
  public void begin(MachineState s, int lane) {
    s.at[lane] = 0;
    s.failure[lane] = 0;
    s.ended[lane] = false;
    s.registers[model.firstRegister[lane] + LaneInstructions.EPOCH]++;
    clocks.begin(s, lane, agents.caller[model.rank(lane)]);
    settle(s, lane);
  }

  /** Ends the lane's launch early, without any further effect that others can observe. */
  public void abandon(MachineState s, int lane) {
    s.failure[lane] = ABANDONED;
    s.ended[lane] = true;
  }

  /** Whether the lane has only the end of its launch left. */
  public boolean idle(MachineState s, int lane) {
    int at = s.at[lane];
    return !s.ended[lane] && at >= 0 && model.lane(lane).ops()[at] == LaneOpcode.END;
  }

  /**
   * Begins the lane's steps anew in the same launch, with new values in the words after the epoch.
   */
  public void call(MachineState s, int lane, long[] values) {
    System.arraycopy(
        values,
        0,
        s.registers,
        model.firstRegister[lane] + LaneInstructions.EPOCH + 1,
        values.length);
    if (model.origins.on) {
      int origins = model.registers + model.firstRegister[lane] + LaneInstructions.EPOCH + 1;
      Arrays.fill(s.registers, origins, origins + values.length, 0);
    }
    s.at[lane] = 0;
    settle(s, lane);
  }

  /** Skips the rest of the lane's steps. */
  public void endCall(MachineState s, int lane) {
    s.at[lane] = model.lane(lane).end();
  }

  /** Takes the lane's next step, which is enabled. */
  public void step(MachineState s, int lane, ChoiceSource branch) {
    LaneInstructions code = model.lane(lane);
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
      case LaneOpcode.COPY -> {
        if (!failed) {
          copies.copy(s, lane, at, branch);
        }
      }
      case LaneOpcode.BULK -> {
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
      case LaneOpcode.WRITE_SLOT -> slotSteps.write(s, lane, ops, at);
      case LaneOpcode.POLL_SLOT -> {
        if (!failed) {
          slotSteps.poll(s, lane, ops, at, branch);
        }
        if (kept.acquires) {
          consist(s, lane);
        }
      }
      case LaneOpcode.AWAIT_LANES -> {
        for (int other : model.code.members(ops[at + 1])) {
          clocks.joined(s, other, lane);
        }
      }
      case LaneOpcode.LOAD -> wordSteps.load(s, lane, ops, at, branch);
      case LaneOpcode.STORE -> {
        if (!failed) {
          wordSteps.store(s, lane, ops, at);
        }
      }
      case LaneOpcode.READ_SLOT -> {
        if (failed) {
          names.set(s, lane, ops[at + 1], 0);
        } else {
          slotSteps.read(s, lane, ops, at, branch);
        }
      }
      case LaneOpcode.RMW -> {
        if (!failed) {
          wordSteps.rmw(s, lane, ops, at, branch);
        }
      }
      case LaneOpcode.POLL_WORD -> {
        if (!failed) {
          wordSteps.poll(s, lane, ops, at, branch);
        }
      }
      case LaneOpcode.LOCK -> {
        if (!failed) {
          wordSteps.lock(s, lane, ops, at);
        }
      }
      case LaneOpcode.POST -> posting.post(s, lane, ops, at, failed);
      case LaneOpcode.FENCE -> fence(s, lane, ops, at);
      case LaneOpcode.AWAIT_QUEUE -> {
        int queue = names.anyQueue(s, lane, ops[at + 1], ops[at + 2]);
        if (queue >= 0) {
          completions.await(s, queue);
        }
      }
      case LaneOpcode.END -> {
        updates.over(s, lane);
        s.ended[lane] = true;
        return;
      }
      default -> throw new AssertionError("no step: opcode=" + ops[at]);
    }
    if (kept.acquiresAll) {
      consist(s, lane);
    }
    if (kept.acquiresAfter(ops, at)) {
      clocks.acquire(s, lane, model.levels - 1);
      clocks.barrier(s, lane);
      consist(s, lane);
    }
    if (kept.fencesAfter(ops[at])) {
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
  private void settle(MachineState s, int lane) {
    LaneInstructions code = model.lane(lane);
    int[] ops = code.ops();
    for (int i = 0; i < MAX_QUIET; i++) {
      int at = skips.from(lane, s.at[lane]);
      int next = code.next(at);
      s.at[lane] = at;
      switch (ops[at]) {
        case LaneOpcode.JUMP -> next = ops[at + 1];
        case LaneOpcode.UNLESS -> next = names.holds(s, lane, ops, at + 1) ? next : ops[next - 1];
        case LaneOpcode.UNLESS_KIND -> {
          // A failed lane skips the call anyway, so its data may name no valid rank.
          long peer = names.value(s, lane, ops[at + 1]);
          next =
              s.failure[lane] != 0 && !names.isRank(peer)
                  ? ops[at + 3]
                  : model.kind(model.rank(lane), names.rank(peer)) == ops[at + 2]
                      ? next
                      : ops[at + 3];
        }
        case LaneOpcode.SET -> {
          long value = names.value(s, lane, ops[at + 2]);
          names.set(s, lane, ops[at + 1], value, names.origin(s, lane, ops[at + 2]));
        }
        case LaneOpcode.CHECK -> {
          int untrue = s.failure[lane] != 0 ? -1 : names.untrue(s, lane, ops, at + 1);
          if (untrue >= 0) {
            s.failure[lane] = ops[next - 1];
            long found = names.value(s, lane, ops[untrue + 1]);
            reports.failed(lane, at, found, ops[untrue], names.value(s, lane, ops[untrue + 2]));
          }
        }
        case LaneOpcode.BAR -> clocks.barrier(s, lane);
        case LaneOpcode.FENCE -> {
          if (updates.any(s, lane) || ops[at + 2] == 1) {
            return;
          }
          fence(s, lane, ops, at);
          if (kept.syncs) {
            clocks.barrier(s, lane);
          }
        }
        case LaneOpcode.CONSIST -> consist(s, lane);
        case LaneOpcode.AWAIT_BULK -> clocks.bulkEnded(s, lane);
        case LaneOpcode.PROXY -> {
          if (ops[at + 1] == ALIAS) {
            clocks.orderNamesOf(s, lane);
          } else {
            clocks.orderBulk(s, lane);
          }
        }
        case LaneOpcode.POLL_SLOT -> {
          slotSteps.want(s, lane, ops, at);
          return;
        }
        case LaneOpcode.POST -> {
          posting.aim(s, lane, ops, at);
          return;
        }
        default -> {
          return;
        }
      }
      s.at[lane] = next;
    }
    throw new EndlessLaneException(model.laneName(lane), MAX_QUIET);
  }

  private void meetAndFence(MachineState s, int lane) {
    clocks.barrier(s, lane);
    clocks.fence(s, lane, model.levels - 1);
    clocks.barrier(s, lane);
  }

  private void fence(MachineState s, int lane, int[] ops, int at) {
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
    if (ops[model.lane(lane).next(at)] == LaneOpcode.CONSIST) {
      // An order is one step: what it releases is visible.
      consist(s, lane);
    }
    clocks.release(s, lane, level, ops[at + 3] == 1);
    if (strict) {
      clocks.strictFence(s, lane, level);
    }
  }

  /** Makes writes of its rank's interfaces visible, as far as the lane is ordered after them. */
  private void consist(MachineState s, int lane) {
    clocks.consist(s, lane);
    words.consist(s, lane);
  }
}
