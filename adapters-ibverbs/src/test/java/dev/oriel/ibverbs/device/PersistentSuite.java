package dev.oriel.ibverbs.device;

import dev.oriel.ibverbs.verbs.Context;
import dev.oriel.ibverbs.window.VerbsWindows;

/** Persistent calls on a device that is there. */
final class PersistentSuite extends VerbsWindows.Persistent {
  @Override
  protected Context device() {
    return Guest.device();
  }
}
