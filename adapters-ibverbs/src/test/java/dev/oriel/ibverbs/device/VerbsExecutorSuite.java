package dev.oriel.ibverbs.device;

import dev.oriel.ibverbs.run.VerbsExecutorContract;
import dev.oriel.ibverbs.verbs.Context;
import java.util.List;

/** The executor on a device that is there, and with it the collectives. */
final class VerbsExecutorSuite extends VerbsExecutorContract {
  /** Emulation takes most of a second for each program. */
  @Override
  protected boolean delivers(int world) {
    return world == 2 || world == 4;
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
