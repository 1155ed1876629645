package dev.oriel.ibverbs.device;

import dev.oriel.ibverbs.verbs.Context;
import dev.oriel.ibverbs.window.VerbsWindows;

/** Lanes on a device that is there. */
final class LaneSuite extends VerbsWindows.Lanes {
  @Override
  protected Context device() {
    return Guest.device();
  }
}
