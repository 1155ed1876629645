package dev.oriel.ibverbs.device;

import dev.oriel.ibverbs.verbs.Context;
import dev.oriel.ibverbs.verbs.Devices;
import dev.oriel.ibverbs.window.VerbsWindows;

/** Ranks on a device that is there. */
final class CommunicatorSuite extends VerbsWindows.Communicators {
  @Override
  protected Context device() {
    return Devices.load().open(System.getProperty("oriel.device", ""));
  }
}
