package dev.oriel.ibverbs.device;

import dev.oriel.ibverbs.run.VerbsExecutorContract;
import dev.oriel.ibverbs.verbs.Context;
import java.util.List;

/** The executor on a device that is there, and with it the collectives. */
final class VerbsExecutorSuite extends VerbsExecutorContract {
  /**
   * Emulation takes most of a second for each program. Of three ranks each has several peers, no
   * half of the others, and one beyond a power of two: they post all that two or four do. Worlds of
   * any size are tried on the fake device.
   */
  @Override
  protected boolean delivers(int world) {
    return world == 3;
  }

  @Override
  protected List<Long> sizesElsewhere() {
    return List.of(1004L);
  }

  /** Three packets of the device; it is an emulated processor that computes what is promised. */
  @Override
  protected long large() {
    return 10_000;
  }

  @Override
  protected List<Context> devices(int rank) {
    return List.of(Guest.device());
  }
}
