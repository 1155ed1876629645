package dev.oriel.ibverbs.device;

import dev.oriel.ibverbs.run.VerbsOneSidedContract;
import dev.oriel.ibverbs.verbs.DeviceContext;
import java.util.List;

/** One-sided calls on a device that is there. */
final class OneSidedSuite extends VerbsOneSidedContract {
  /** Emulation takes most of a second for each program. */
  @Override
  protected int drawn() {
    return 4;
  }

  @Override
  protected int turns() {
    return 12;
  }

  @Override
  protected List<DeviceContext> devices(int rank) {
    return List.of(Guest.device());
  }
}
