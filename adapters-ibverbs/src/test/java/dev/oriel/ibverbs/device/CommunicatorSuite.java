package dev.oriel.ibverbs.device;

import dev.oriel.ibverbs.verbs.Context;
import dev.oriel.ibverbs.window.VerbsWindows;

/** Ranks on a device that is there. */
final class CommunicatorSuite extends VerbsWindows.Communicators {
  @Override
  protected Context device() {
    return Guest.device();
  }
}
