package dev.oriel.ibverbs.device;

import dev.oriel.ibverbs.verbs.DeviceContext;
import dev.oriel.ibverbs.window.VerbsWindows;

/** Lanes on a device that is there. */
final class LaneSuite extends VerbsWindows.Lanes {
  @Override
  protected DeviceContext device() {
    return Guest.device();
  }
}
