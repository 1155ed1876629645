package dev.oriel.sim.machine.lane;

import dev.oriel.domain.program.Atomic;
import dev.oriel.domain.window.Comparison;
import dev.oriel.sim.code.AccessOrders;
import dev.oriel.sim.machine.clocks.ComponentClocks;
import dev.oriel.sim.machine.clocks.ReleaseClocks;
import dev.oriel.sim.machine.layout.AgentLayout;
import dev.oriel.sim.machine.layout.CausalClockIndex;
import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.memory.DataWords;
import dev.oriel.sim.machine.memory.SharedSubsystems;
import dev.oriel.sim.machine.memory.SimulatedMemory;
import dev.oriel.sim.machine.provenance.TaggedBytes;
import dev.oriel.sim.machine.report.FindingReporter;
import dev.oriel.sim.machine.settings.OrderingAssumptions;
import dev.oriel.sim.machine.state.MachineState;
import dev.oriel.sim.machine.words.LockHolders;
import dev.oriel.sim.machine.words.SyncWords;
import dev.oriel.sim.machine.words.WordWrites;
import dev.oriel.sim.replay.ChoiceSource;

/** Steps of lanes at words of buffers: loads, stores, atomics, awaits, locks. */
@SuppressWarnings("EnumOrdinal") // flat code is made of ordinals
public final class WordSteps {
  private final MachineModel model;
  private final AgentLayout agents;
  private final SimulatedMemory memory;
  private final ComponentClocks clocks;
  private final SyncWords words;
  private final ReleaseClocks releaseClocks;
  private final WordWrites writes;
  private final DataWords dataWords;
  private final OrderingAssumptions kept;
  private final FindingReporter reports;
  private final LaneOperands names;
  private final PendingAtomics updates;
  private final long[] word = new long[Long.BYTES];

  public WordSteps(SharedSubsystems shared, LaneOperands names, PendingAtomics updates) {
    model = shared.model;
    agents = model.agents;
    memory = shared.memory;
    clocks = shared.clocks;
    words = shared.words;
    releaseClocks = shared.releaseClocks;
    writes = shared.writes;
    dataWords = shared.dataWords;
    kept = shared.kept;
    reports = shared.reports;
    this.names = names;
    this.updates = updates;
  }

  void load(MachineState s, int lane, int[] ops, int at, ChoiceSource branch) {
    long value = 0;
    long origin = 0;
    if (s.failure[lane] == 0) {
      clocks.move(s, lane);
      int width = ops[at + 4];
      int seen = CausalClockIndex.worker(model, lane);
      int worker = agents.worker[lane];
      int rank = model.rank(lane);
      long offset = names.value(s, lane, ops[at + 3]);
      memory.read(
          s, worker, rank, ops[at + 2], offset, width, word, 0, kept.acquiresAll, seen, branch);
      value = TaggedBytes.word(word, 0, width);
      origin = model.origins.of(word, 0, width);
      reports.loaded(ops[at + 2], offset, value);
      long most = names.value(s, lane, ops[at + 5]);
      if (Long.compareUnsigned(value, most) > 0) {
        s.failure[lane] = ops[at + 6];
        reports.failed(lane, at, value, Comparison.LE.ordinal(), most);
        value = 0;
        origin = 0;
      }
    }
    names.set(s, lane, ops[at + 1], value, origin);
  }

  void store(MachineState s, int lane, int[] ops, int at) {
    int width = ops[at + 3];
    long offset = names.value(s, lane, ops[at + 2]);
    long value = names.value(s, lane, ops[at + 4]);
    model.origins.put(word, 0, width, value, names.origin(s, lane, ops[at + 4]));
    int leader = agents.leader[lane];
    int rank = model.rank(lane);
    int seen = CausalClockIndex.leader(model, lane);
    memory.write(s, leader, rank, ops[at + 1], offset, width, word, 0, seen);
    int causes = clocks.causes(s, lane, false);
    dataWords.written(s, leader, rank, ops[at + 1], (int) offset, width, causes);
  }

  void rmw(MachineState s, int lane, int[] ops, int at, ChoiceSource branch) {
    int change = ops[at + 5];
    if (change == Atomic.FETCH.ordinal()) {
      int owner = names.owner(s, lane, ops[at + 3]);
      int source = names.word(s, lane, owner, ops[at + 2], ops[at + 4]);
      int seen = CausalClockIndex.leader(model, lane);
      dataWords.touched(s, agents.leader[lane], source, false, seen);
      long found = words.readAny(s, source, lane, ops[at + 8], ops[at + 9], branch);
      names.set(s, lane, ops[at + 1], found, words.originFound(s, source, lane));
      return;
    }
    int leader = agents.leader[lane];
    int order = ops[at + 8];
    long value = names.value(s, lane, ops[at + 6]);
    long compare = names.value(s, lane, ops[at + 7]);
    long origin = names.origin(s, lane, ops[at + 6]);
    if (updates.on && AccessOrders.posted(ops, at)) {
      for (int owner : names.ranks(s, lane, ops[at + 3])) {
        int target = names.word(s, lane, owner, ops[at + 2], ops[at + 4]);
        dataWords.touched(s, leader, target, true, CausalClockIndex.leader(model, lane));
        updates.issue(s, lane, target, change, value, compare, origin, ops[at + 9]);
      }
      clocks.advance(s, leader);
      return;
    }
    if (AccessOrders.releases(order)) {
      updates.over(s, lane);
    }
    boolean reads = words.reads(change, ops[at + 1] >= 0);
    long old = 0;
    long oldOrigin = 0;
    for (int owner : names.ranks(s, lane, ops[at + 3])) {
      int target = names.word(s, lane, owner, ops[at + 2], ops[at + 4]);
      dataWords.touched(s, leader, target, true, CausalClockIndex.leader(model, lane));
      int scope = ops[at + 9];
      int after = words.predecessor(s, target, lane, branch);
      words.requireReached(s, target, after, lane, scope);
      if (reads) {
        words.takeAny(s, target, after, lane, AccessOrders.acquires(order), scope);
      } else {
        words.replace(s, target, after, lane, scope);
      }
      releaseClocks.ofLane(s, lane, scope, AccessOrders.releases(order));
      releaseClocks.own(s, target, lane);
      int causes = clocks.causes(s, lane, false);
      oldOrigin = words.origin(s, target, after);
      writes.from(origin);
      old =
          writes.write(
              s, leader, target, after, change, value, compare, scope, causes, false, reads);
      dataWords.changed(s, target);
    }
    clocks.advance(s, leader);
    if (ops[at + 1] >= 0) {
      names.set(s, lane, ops[at + 1], old, oldOrigin);
    }
  }

  void poll(MachineState s, int lane, int[] ops, int at, ChoiceSource branch) {
    int target = names.word(s, lane, model.rank(lane), ops[at + 1], ops[at + 2]);
    dataWords.touched(s, agents.leader[lane], target, false, CausalClockIndex.leader(model, lane));
    boolean acquire = AccessOrders.acquires(ops[at + 5]) || kept.acquiresAll;
    clocks.awaited(s, lane, false);
    long wanted = names.value(s, lane, ops[at + 4]);
    words.take(s, target, lane, ops[at + 3], wanted, acquire, ops[at + 6], branch);
  }

  void lock(MachineState s, int lane, int[] ops, int at) {
    int leader = agents.leader[lane];
    int owner = names.owner(s, lane, ops[at + 2]);
    int target = names.word(s, lane, owner, ops[at + 1], ops[at + 3]);
    dataWords.touched(s, leader, target, true, CausalClockIndex.leader(model, lane));
    int scope = ops[at + 4];
    int last = words.count(s, target) - 1;
    words.takeAny(s, target, last, lane, true, scope);
    releaseClocks.ofLane(s, lane, scope, false);
    releaseClocks.own(s, target, lane);
    int causes = clocks.causes(s, lane, false);
    int set = Atomic.SET.ordinal();
    writes.write(s, leader, target, last, set, 1, 0, scope, causes, false, true);
    LockHolders.taken(s, target);
    dataWords.changed(s, target);
    clocks.advance(s, leader);
  }
}
