package dev.oriel.sim.machine.lane;

import dev.oriel.domain.program.Atomic;
import dev.oriel.sim.code.AccessOrders;
import dev.oriel.sim.machine.clocks.ComponentClocks;
import dev.oriel.sim.machine.clocks.ReleaseClocks;
import dev.oriel.sim.machine.layout.AgentLayout;
import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.memory.SharedSubsystems;
import dev.oriel.sim.machine.report.FindingReporter;
import dev.oriel.sim.machine.settings.OrderingAssumptions;
import dev.oriel.sim.machine.state.MachineState;
import dev.oriel.sim.machine.words.SyncWords;
import dev.oriel.sim.machine.words.WordWrites;
import dev.oriel.sim.replay.ChoiceSource;

/** Steps of lanes at signal slots: to write one, to await one or several, to read one. */
@SuppressWarnings("EnumOrdinal") // flat code is made of ordinals
public final class SlotSteps {
  private final MachineModel model;
  private final AgentLayout agents;
  private final ComponentClocks clocks;
  private final SyncWords words;
  private final ReleaseClocks releaseClocks;
  private final WordWrites writes;
  private final OrderingAssumptions kept;
  private final LaneOperands names;
  private final PendingAtomics updates;
  private final MessageSums sums;
  private final FindingReporter reports;

  public SlotSteps(
      SharedSubsystems shared, LaneOperands names, PendingAtomics updates, MessageSums sums) {
    model = shared.model;
    agents = model.agents;
    clocks = shared.clocks;
    words = shared.words;
    releaseClocks = shared.releaseClocks;
    writes = shared.writes;
    kept = shared.kept;
    reports = shared.reports;
    this.names = names;
    this.updates = updates;
    this.sums = sums;
  }

  void write(MachineState s, int lane, int[] ops, int at) {
    boolean releases = AccessOrders.releases(ops[at + 6]) || kept.releases;
    if (releases && !updates.any(s, lane)) {
      updates.over(s, lane);
    }
    if (kept.releases) {
      clocks.barrier(s, lane);
    }
    int leader = agents.leader[lane];
    long index = names.value(s, lane, ops[at + 2]);
    long value = names.value(s, lane, ops[at + 5]);
    int causes = clocks.causes(s, lane, false);
    for (int owner : names.ranks(s, lane, ops[at + 3])) {
      int slot = names.slot(owner, ops[at + 1], model.rank(lane), index);
      releaseClocks.ofLane(s, lane, ops[at + 7], releases);
      boolean set = ops[at + 4] == 0;
      Atomic change = set ? Atomic.SET : Atomic.ADD;
      writes.from(names.origin(s, lane, ops[at + 5]));
      int last = words.count(s, slot) - 1;
      writes.write(
          s, leader, slot, last, change.ordinal(), value, 0, ops[at + 7], causes, set, !set);
    }
    clocks.advance(s, leader);
  }

  /** Computes the slot and the value of an await of one slot; they do not change while it waits. */
  void want(MachineState s, int lane, int[] ops, int at) {
    s.wantedSlot[lane] = -1;
    int ranks = ops[at + 3];
    if (ops[at + 4] == 0 && (ranks < 0 || model.code.members(ranks).length == 1)) {
      int source = names.ranks(s, lane, ranks)[0];
      long index = names.value(s, lane, ops[at + 2]);
      s.wantedSlot[lane] = names.slot(model.rank(lane), ops[at + 1], source, index);
      s.wantedValue[lane] = names.value(s, lane, ops[at + 6]);
    }
  }

  void poll(MachineState s, int lane, int[] ops, int at, ChoiceSource branch) {
    boolean acquire = AccessOrders.acquires(ops[at + 7]) || kept.acquires;
    clocks.awaited(s, lane, false);
    if (s.wantedSlot[lane] >= 0) {
      int comparison = ops[at + 5];
      long wanted = s.wantedValue[lane];
      words.take(s, s.wantedSlot[lane], lane, comparison, wanted, acquire, ops[at + 8], branch);
      return;
    }
    long index = names.value(s, lane, ops[at + 2]);
    long expected = names.value(s, lane, ops[at + 6]);
    if (ops[at + 4] == 1) {
      int[] slots = names.slots(s, lane, ops, at, index);
      boolean uneven = model.scan.uneven(ops[at + 1]);
      int[] chosen = sums.choose(s, slots, lane, ops[at + 5], expected, uneven, branch);
      // A sum without any new addition was reached before: this await announces nothing.
      boolean announces = false;
      for (int i = 0; i < slots.length; i++) {
        announces |= words.unread(s, slots[i], chosen[i], lane);
      }
      for (int i = 0; i < slots.length; i++) {
        boolean missed = announces && !words.unread(s, slots[i], chosen[i], lane);
        words.takeMessage(s, slots[i], chosen[i], lane, acquire, ops[at + 8]);
        if (missed) {
          reports.missedAddend(lane, slots[i]);
        }
      }
      return;
    }
    for (int source : names.ranks(s, lane, ops[at + 3])) {
      int slot = names.slot(model.rank(lane), ops[at + 1], source, index);
      words.take(s, slot, lane, ops[at + 5], expected, acquire, ops[at + 8], branch);
    }
  }

  void read(MachineState s, int lane, int[] ops, int at, ChoiceSource branch) {
    int source = names.owner(s, lane, ops[at + 4]);
    int slot = names.slot(model.rank(lane), ops[at + 2], source, names.value(s, lane, ops[at + 3]));
    long found = words.readAny(s, slot, lane, ops[at + 5], ops[at + 6], branch);
    names.set(s, lane, ops[at + 1], found, words.originFound(s, slot, lane));
  }
}
