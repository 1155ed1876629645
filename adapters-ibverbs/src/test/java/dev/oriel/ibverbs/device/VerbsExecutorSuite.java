package dev.oriel.ibverbs.device;

import dev.oriel.ibverbs.run.VerbsExecutorContract;
import dev.oriel.ibverbs.verbs.DeviceContext;
import java.util.List;

/** The executor on a device that is there, and with it the collectives. */
final class VerbsExecutorSuite extends VerbsExecutorContract {
  /**
   * Emulation takes most of a second for each program. With three ranks, each has several peers
   * that are not half of the others, and three is one more than a power of two: such programs post
   * everything that two or four ranks post. Worlds of any size are tested on the fake device.
   */
  @Override
  protected boolean delivers(int world) {
    return world == 3;
  }

  @Override
  protected List<Long> sizesElsewhere() {
    return List.of(1004L);
  }

  /** Three packets of the device; an emulated processor computes the expected outputs. */
  @Override
  protected long large() {
    return 10_000;
  }

  @Override
  protected List<DeviceContext> devices(int rank) {
    return List.of(Guest.device());
  }
}
