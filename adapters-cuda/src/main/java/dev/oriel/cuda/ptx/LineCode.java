package dev.oriel.cuda.ptx;

import dev.oriel.domain.lowering.LoweredLane;
import dev.oriel.domain.lowering.Micro;
import dev.oriel.domain.lowering.Step;
import dev.oriel.domain.program.Lane;
import java.util.List;

/** A lane's own line of memory, kept from launch to launch: its epoch, then its state words. */
final class LineCode {
  private static final int WARP = 32;
  private static final int AT_THE_END = -1;

  private final Ptx ptx;
  private final ExprCode exprs;
  private final Threads threads;
  private final LoweredLane lane;

  /** The register with where the line is. */
  private final String line;

  /** Whether another lane waits for the end of this one. */
  private final boolean joined;

  /** The step that the epoch is kept in front of. */
  private final int keeping;

  /**
   * @param whole whether the lane is not a stage of a chain
   */
  LineCode(
      Ptx ptx,
      ExprCode exprs,
      Threads threads,
      LoweredLane lane,
      String line,
      boolean joined,
      boolean whole) {
    this.ptx = ptx;
    this.exprs = exprs;
    this.threads = threads;
    this.lane = lane;
    this.line = line;
    this.joined = joined;
    boolean early =
        whole && !joined && lane.persistent().isEmpty() && LaneCode.threads(lane) == WARP;
    keeping = early ? firstWait(lane.steps()) : AT_THE_END;
  }

  /**
   * The wait that a lane of one warp keeps its epoch in front of, so that the store is done when
   * the wait is. A lane that gives up has kept it too, but is launched no more. State words are
   * known at the end alone, and who joins the lane goes by its epoch.
   */
  private static int firstWait(List<Step> steps) {
    int step = 0;
    while (steps.get(step).micro() instanceof Micro.WriteSlot) {
      step++;
    }
    return steps.get(step).micro() instanceof Micro.PollSlot ? step : AT_THE_END;
  }

  void load() {
    String epoch = exprs.register("epoch");
    ptx.comment("the lane's own line: epoch, then its state words");
    ptx.op("ld.global.u64 %s, [%s]", epoch, line);
    ptx.op("add.s64 %s, %s, 1", epoch, epoch);
    int word = 1;
    for (Lane.State s : lane.persistent()) {
      ptx.op("ld.global.u64 %s, [%s+%d]", exprs.register(s.name()), line, Long.BYTES * word++);
    }
  }

  /** In front of each step. */
  void before(int step) {
    if (step == keeping) {
      ptx.comment("every thread has read the epoch before the leader keeps the next");
      ptx.op("bar.warp.sync %s", Threads.WARP);
      threads.leader(() -> keep(""));
    }
  }

  /** In the leader, at the lane's end. */
  void store() {
    int word = 1;
    for (Lane.State s : lane.persistent()) {
      ptx.op("st.global.u64 [%s+%d], %s", line, Long.BYTES * word++, exprs.register(s.name()));
    }
    if (keeping == AT_THE_END) {
      // Who joins the lane waits for its epoch, and stands behind all that it did.
      keep(joined ? ".release.gpu" : "");
    }
  }

  private void keep(String order) {
    if (!order.isEmpty()) {
      ptx.comment("what the lane did is there for who joins it");
    }
    ptx.op("st%s.global.u64 [%s], %s", order, line, exprs.register("epoch"));
  }
}
