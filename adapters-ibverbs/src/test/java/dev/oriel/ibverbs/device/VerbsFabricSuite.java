package dev.oriel.ibverbs.device;

import dev.oriel.ibverbs.fabric.VerbsFabricContract;
import dev.oriel.ibverbs.verbs.DeviceContext;

/** The fabric on a device that is there. */
final class VerbsFabricSuite extends VerbsFabricContract {
  @Override
  protected DeviceContext device(int rank) {
    return Guest.device();
  }
}
