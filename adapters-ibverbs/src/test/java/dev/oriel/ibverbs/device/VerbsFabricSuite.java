package dev.oriel.ibverbs.device;

import dev.oriel.ibverbs.fabric.VerbsFabricContract;
import dev.oriel.ibverbs.verbs.Context;
import dev.oriel.ibverbs.verbs.Devices;

/** The fabric on a device that is there. */
final class VerbsFabricSuite extends VerbsFabricContract {
  @Override
  protected Context device(int rank) {
    return Devices.load().open(System.getProperty("oriel.device", ""));
  }
}
