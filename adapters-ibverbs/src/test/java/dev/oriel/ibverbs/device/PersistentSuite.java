package dev.oriel.ibverbs.device;

import dev.oriel.ibverbs.verbs.DeviceContext;
import dev.oriel.ibverbs.window.VerbsWindows;

/** Persistent calls on a device that is there. */
final class PersistentSuite extends VerbsWindows.Persistent {
  @Override
  protected DeviceContext device() {
    return Guest.device();
  }
}
