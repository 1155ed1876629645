package dev.oriel.ibverbs.device;

import dev.oriel.ibverbs.verbs.DeviceContext;
import dev.oriel.ibverbs.window.VerbsWindows;
import dev.oriel.ports.channel.ChannelMode;

/** Channels on a device that is there. */
final class ChannelSuite extends VerbsWindows.Channels {
  ChannelSuite(ChannelMode mode) {
    super(mode);
  }

  @Override
  protected DeviceContext device() {
    return Guest.device();
  }
}
