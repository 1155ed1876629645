package dev.oriel.ibverbs.device;

import dev.oriel.ibverbs.verbs.Context;
import dev.oriel.ibverbs.window.VerbsWindows;
import dev.oriel.ports.channel.Mode;

/** Channels on a device that is there. */
final class ChannelSuite extends VerbsWindows.Channels {
  ChannelSuite(Mode mode) {
    super(mode);
  }

  @Override
  protected Context device() {
    return Guest.device();
  }
}
