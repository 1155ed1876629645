package dev.oriel.sim.machine.rows;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ClockSnapshotsTest {
  /** So wide that the tree of nodes has three levels. */
  private static final int WIDTH = 2_000;

  @Test
  void unsharedNodesAreCountedOnce() {
    ClockTable clocks = ClockTable.of(false, WIDTH, 1);
    ClockSnapshots kept = new ClockSnapshots(false, WIDTH);
    SharedClockTable rows = (SharedClockTable) kept.rows;
    clocks.set(0, 0, 1);
    kept.keep(clocks, 0);
    kept.keep(clocks, 0);
    assertThat(rows.own).isEqualTo(3 * SharedClockTable.NODE);
    clocks.set(0, WIDTH - 1, 1);
    int last = kept.keep(clocks, 0);
    kept.again(last);
    assertThat(rows.own).as("a root and two below it").isEqualTo(6 * SharedClockTable.NODE);
    ClockSnapshots copy = new ClockSnapshots(false, WIDTH);
    copy.copy(kept);
    assertThat(((SharedClockTable) copy.rows).own).isEqualTo(rows.own);
    kept.clear();
    assertThat(rows.own).isZero();
  }
}
