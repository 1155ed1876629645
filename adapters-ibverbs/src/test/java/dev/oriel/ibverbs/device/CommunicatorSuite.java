package dev.oriel.ibverbs.device;

import dev.oriel.ibverbs.verbs.DeviceContext;
import dev.oriel.ibverbs.window.VerbsWindows;

/** Ranks on a device that is there. */
final class CommunicatorSuite extends VerbsWindows.Communicators {
  @Override
  protected DeviceContext device() {
    return Guest.device();
  }
}
