package dev.oriel.ibverbs.device;

import dev.oriel.ibverbs.verbs.DeviceContext;
import dev.oriel.ibverbs.window.VerbsWindows;

/** Memory of the application on a device that is there. */
final class UserMemorySuite extends VerbsWindows.UserMemories {
  /** Emulation takes a while for every packet. */
  @Override
  public int large() {
    return 1 << 10;
  }

  @Override
  protected DeviceContext device() {
    return Guest.device();
  }
}
