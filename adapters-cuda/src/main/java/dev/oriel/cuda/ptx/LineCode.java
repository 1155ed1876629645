package dev.oriel.cuda.ptx;

import dev.oriel.domain.lowering.LoweredLane;
import dev.oriel.domain.lowering.LoweredStep;
import dev.oriel.domain.lowering.MicroOperation;
import dev.oriel.domain.program.LaneFamily;
import java.util.List;

/**
 * A lane's own line of memory, which lasts from launch to launch: its epoch, then its state words.
 */
final class LineCode {
  private static final int WARP = 32;
  private static final int AT_THE_END = -1;

  private final PtxBuilder ptx;
  private final ExprCode exprs;
  private final WorkSharingCode threads;
  private final LoweredLane lane;

  /** The register with the address of the line. */
  private final String line;

  /** Whether another lane waits for the end of this one. */
  private final boolean joined;

  /** The step before which the epoch is stored. */
  private final int keeping;

  /**
   * Chooses the step before which the epoch is stored.
   *
   * @param whole whether the kernel is the lane's whole launch, not a stage of a chain
   */
  LineCode(
      PtxBuilder ptx,
      ExprCode exprs,
      WorkSharingCode threads,
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
   * The wait before which a lane of one warp stores its epoch: the store then completes during the
   * wait. A lane that gives up has stored it too; the host must not count on a later launch. A lane
   * with state words stores at its end, where these are known. A lane that others join does, too:
   * they wait for its epoch.
   */
  private static int firstWait(List<LoweredStep> steps) {
    int step = 0;
    while (steps.get(step).micro() instanceof MicroOperation.WriteSlot) {
      step++;
    }
    return steps.get(step).micro() instanceof MicroOperation.PollSlot ? step : AT_THE_END;
  }

  void load() {
    String epoch = exprs.register("epoch");
    ptx.comment("the lane's own line: epoch, then its state words");
    ptx.op("ld.global.u64 %s, [%s]", epoch, line);
    ptx.op("add.s64 %s, %s, 1", epoch, epoch);
    int word = 1;
    for (LaneFamily.State s : lane.persistent()) {
      ptx.op("ld.global.u64 %s, [%s+%d]", exprs.register(s.name()), line, Long.BYTES * word++);
    }
  }

  /** Called before each step. */
  void before(int step) {
    if (step == keeping) {
      ptx.comment("every thread has read the epoch before the leader keeps the next");
      ptx.op("bar.warp.sync %s", WorkSharingCode.WARP);
      threads.leader(() -> keep(""));
    }
  }

  /** Called in the leader, at the lane's end. */
  void store() {
    int word = 1;
    for (LaneFamily.State s : lane.persistent()) {
      ptx.op("st.global.u64 [%s+%d], %s", line, Long.BYTES * word++, exprs.register(s.name()));
    }
    if (keeping == AT_THE_END) {
      // A joining lane acquires the epoch, and is then ordered after everything that this lane did.
      keep(joined ? ".release.gpu" : "");
    }
  }

  private void keep(String order) {
    if (!order.isEmpty()) {
      ptx.comment("release: a lane that joins this one sees all of its accesses");
    }
    ptx.op("st%s.global.u64 [%s], %s", order, line, exprs.register("epoch"));
  }
}
