package dev.oriel.sim.time;

import dev.oriel.domain.program.Scope;
import dev.oriel.domain.window.Comparison;
import dev.oriel.ports.MachineException;
import dev.oriel.sim.code.CopyLayout;
import dev.oriel.sim.code.LaneInstructions;
import dev.oriel.sim.code.LaneOpcode;
import dev.oriel.sim.code.OperandTable;
import java.util.Arrays;

/** Executes the steps of a lane until it has to wait. */
@SuppressWarnings("EnumOrdinal") // flat code is made of ordinals
final class TimedSteps {
  /**
   * Instructions between two that other lanes can observe; more of them count as a loop without
   * effect.
   */
  private static final int MAX_QUIET = 1_000_000;

  /** A bit for each opcode that has effects only on its own lane. */
  private static final int QUIET =
      1 << LaneOpcode.JUMP
          | 1 << LaneOpcode.UNLESS
          | 1 << LaneOpcode.UNLESS_KIND
          | 1 << LaneOpcode.SET
          | 1 << LaneOpcode.CHECK
          | 1 << LaneOpcode.BAR
          | 1 << LaneOpcode.FENCE
          | 1 << LaneOpcode.CONSIST;

  private static final long UNKNOWN = -1;

  private final TimingConstants scene;

  /** For each code and instruction, the time in which its operands are computed, once known. */
  private final long[][] computes;

  private final LaneTable agents;
  private final VirtualTimeline timeline;
  private final PolledWords cells;
  private final LinkCosts costs;
  private final RankLaunches launches;
  private final CopyTiming copies;
  private final RequestTiming requests;
  private final TimingObserver watch;

  TimedSteps(
      TimingConstants scene,
      VirtualTimeline timeline,
      RankLaunches launches,
      CopyTiming copies,
      RequestTiming requests,
      TimingObserver watch) {
    this.scene = scene;
    this.agents = timeline.agents;
    this.timeline = timeline;
    this.cells = timeline.cells;
    this.costs = scene.costs();
    this.launches = launches;
    this.copies = copies;
    this.requests = requests;
    this.watch = watch;
    computes = new long[scene.codes()][];
    for (int code = 0; code < computes.length; code++) {
      computes[code] = new long[scene.ops(code).length];
      Arrays.fill(computes[code], UNKNOWN);
    }
  }

  /** Called at the lane's own time, or with the lane ahead. */
  void run(int lane) {
    int[] ops = scene.ops(agents.code[lane]);
    int at = agents.at[lane];
    long[] computes = this.computes[agents.code[lane]];
    int quiet = 0;
    while (true) {
      int next;
      switch (ops[at]) {
        case LaneOpcode.JUMP -> next = ops[at + 1];
        case LaneOpcode.UNLESS -> {
          int after = after(ops, at + 1);
          next = holds(ops, at + 1, lane) ? after + 1 : ops[after];
        }
        case LaneOpcode.UNLESS_KIND -> {
          int peer = scene.rank(ops[at + 1], lane);
          next =
              scene.kind(agents.rank[lane], peer).ordinal() == ops[at + 2] ? at + 4 : ops[at + 3];
        }
        case LaneOpcode.SET -> {
          agents.registers[agents.base[lane] + ops[at + 1]] = scene.value(ops[at + 2], lane);
          next = at + 3;
        }
        case LaneOpcode.CHECK -> {
          int after = after(ops, at + 1);
          if (!holds(ops, at + 1, lane)) {
            throw new MachineException(
                "a check failed, so the rest is not what is usually paid for: %s, code=%d; choose other parameters"
                    .formatted(scene.label(lane), ops[after]));
          }
          next = after + 1;
        }
        case LaneOpcode.BAR -> {
          agents.clock[lane] += costs.barrier;
          agents.polls[lane] = false;
          next = at + 1;
        }
        case LaneOpcode.FENCE -> {
          if (ops[at + 1] == Scope.SYS.ordinal()) {
            copies.fence(lane);
          }
          next = at + 4;
        }
        case LaneOpcode.CONSIST -> {
          agents.clock[lane] += costs.consist;
          next = at + 1;
        }
        case LaneOpcode.COPY -> next = copies.copy(ops, at, lane);
        case LaneOpcode.WRITE_SLOT -> next = copies.signal(ops, at, lane);
        case LaneOpcode.POLL_SLOT -> next = poll(ops, at, lane);
        case LaneOpcode.AWAIT_LANES -> next = launches.ended(lane, ops[at + 1]) ? at + 2 : -1;
        case LaneOpcode.LOAD -> {
          agents.registers[agents.base[lane] + ops[at + 1]] = scene.word(lane, ops[at + 1]);
          agents.clock[lane] += costs.load;
          next = at + 7;
        }
        case LaneOpcode.STORE -> {
          agents.clock[lane] += costs.issue;
          next = at + 5;
        }
        case LaneOpcode.POST -> next = requests.post(ops, at, lane);
        case LaneOpcode.AWAIT_QUEUE -> {
          requests.await(ops, at, lane);
          next = at + 3;
        }
        case LaneOpcode.END -> {
          // Other lanes can observe a join, so it must happen in the order of time.
          if (!timeline.early(lane)) {
            watch.stepped(lane, at, timeline.now(), agents.clock[lane]);
            launches.end(lane);
            return;
          }
          next = -1;
        }
        default -> throw new AssertionError("refused before: " + ops[at]);
      }
      if (next < 0) {
        agents.at[lane] = at;
        return;
      }
      if (computes[at] == UNKNOWN) {
        computes[at] = computing(ops, at);
      }
      agents.clock[lane] += computes[at];
      watch.stepped(lane, at, timeline.now(), agents.clock[lane]);
      quiet = (QUIET >>> ops[at] & 1) == 0 ? 0 : quiet + 1;
      if (quiet > MAX_QUIET) {
        throw new MachineException(
            "a lane continues for ever without a visible step: %s, instructions=%d; let its loop end"
                .formatted(scene.label(lane), MAX_QUIET));
      }
      at = next;
    }
  }

  /** The time in which a lane computes the operands of an instruction, or only computes. */
  private long computing(int[] ops, int at) {
    long alone = 0;
    int divisions = 0;
    switch (ops[at]) {
      case LaneOpcode.JUMP -> alone = costs.step;
      case LaneOpcode.SET -> {
        alone = costs.step;
        divisions = divisions(ops, at + 2);
      }
      case LaneOpcode.UNLESS -> {
        alone = costs.step;
        for (int i = 0; i < ops[at + 1]; i++) {
          divisions += divisions(ops, at + 3 + 3 * i) + divisions(ops, at + 4 + 3 * i);
        }
      }
      case LaneOpcode.COPY -> {
        divisions = divisions(ops, at + 1);
        for (int i = 0; i < CopyLayout.destinations(ops, at); i++) {
          divisions += divided(ops, CopyLayout.destination(at, i));
        }
        for (int i = 0; i < CopyLayout.sources(ops, at); i++) {
          divisions += divided(ops, CopyLayout.source(ops, at, i));
        }
      }
      case LaneOpcode.WRITE_SLOT -> divisions = divisions(ops, at + 2) + divisions(ops, at + 5);
      case LaneOpcode.POLL_SLOT -> divisions = divisions(ops, at + 2) + divisions(ops, at + 6);
      default -> {
        // Other instructions are rare, or their operands are.
      }
    }
    return alone + divisions * costs.divide;
  }

  private int divided(int[] ops, int place) {
    int ranks = ops[place + CopyLayout.RANKS];
    return divisions(ops, place + CopyLayout.OFFSET)
        + (ops[place + CopyLayout.FORMAT] < 0 ? 0 : divisions(ops, place + CopyLayout.FLAG))
        + (ranks < 0 ? scene.divisions(~ranks) : 0);
  }

  private int divisions(int[] ops, int operand) {
    return scene.divisions(ops[operand]);
  }

  private static int after(int[] ops, int conditions) {
    return conditions + 1 + 3 * ops[conditions];
  }

  private boolean holds(int[] ops, int conditions, int lane) {
    for (int i = 0; i < ops[conditions]; i++) {
      int term = conditions + 1 + 3 * i;
      if (!OperandTable.compares(
          ops[term], scene.value(ops[term + 1], lane), scene.value(ops[term + 2], lane))) {
        return false;
      }
    }
    return true;
  }

  /** The next instruction, or -1 if the lane waits. */
  private int poll(int[] ops, int at, int lane) {
    int comparison = ops[at + 5];
    if (!lasting(comparison) && timeline.early(lane)) {
      return -1;
    }
    long expected = scene.value(ops[at + 6], lane);
    long slot = scene.value(ops[at + 2], lane);
    boolean satisfied =
        (ops[at + 3] < 0 || ops[at + 4] == 0)
            ? each(lane, ops[at + 3], ops[at + 1], slot, comparison, expected)
            : sum(lane, ops[at + 3], ops[at + 1], slot, comparison, expected);
    if (satisfied) {
      agents.clock[lane] += costs.poll;
    }
    return satisfied ? at + 9 : -1;
  }

  /** A thread of its own observes each row, so an observed row is not polled again. */
  private boolean each(int lane, int ranks, int signal, long slot, int comparison, long expected) {
    int owner = agents.rank[lane];
    int source = ranks < 0 ? scene.rank(~ranks, lane) : agents.turn[lane];
    int last = ranks < 0 ? source : scene.world() - 1;
    for (; source <= last; source++) {
      if (ranks >= 0 && scene.leavesOut(ranks, owner, source)) {
        continue;
      }
      int cell = cells.slot(owner, source, signal, slot);
      if (!OperandTable.compares(comparison, cells.word(cell), expected)) {
        agents.turn[lane] = source;
        timeline.await(lane, cell);
        return false;
      }
    }
    agents.turn[lane] = 0;
    return true;
  }

  private boolean sum(int lane, int ranks, int signal, long slot, int comparison, long expected) {
    int owner = agents.rank[lane];
    int cell = cells.slot(owner, PolledWords.SUM, signal, slot);
    long word = cells.word(cell);
    if (scene.leavesOut(ranks, owner, owner)) {
      word -= cells.word(cells.slot(owner, owner, signal, slot));
    }
    if (!OperandTable.compares(comparison, word, expected)) {
      timeline.await(lane, cell);
      return false;
    }
    return true;
  }

  /**
   * If a growing word satisfies this comparison once, it always does afterwards. The time of the
   * poll therefore does not matter.
   */
  private static boolean lasting(int comparison) {
    return comparison == Comparison.REACHED.ordinal()
        || comparison == Comparison.GE.ordinal()
        || comparison == Comparison.GT.ordinal();
  }

  /** The condition that the lane waits for, in words. */
  String waits(int lane) {
    LaneInstructions code = scene.code(agents.code[lane]);
    int[] ops = code.ops();
    int at = agents.at[lane];
    String what = scene.label(lane) + ": " + code.text(at);
    if (ops[at] != LaneOpcode.POLL_SLOT) {
      return what;
    }
    long expected = scene.value(ops[at + 6], lane);
    if (ops[at + 3] >= 0 && ops[at + 4] == 1) {
      return what + " (wants " + expected + ")";
    }
    int source = ops[at + 3] < 0 ? scene.rank(~ops[at + 3], lane) : agents.turn[lane];
    int cell = cells.slot(agents.rank[lane], source, ops[at + 1], scene.value(ops[at + 2], lane));
    return "%s (rank %d's row has %d, wanted %d)"
        .formatted(what, source, cells.word(cell), expected);
  }
}
