package dev.oriel.ibverbs.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.ibverbs.verbs.DeviceContext;
import dev.oriel.ibverbs.verbs.FakeVerbs;
import dev.oriel.ports.channel.ChannelMode;
import org.junit.jupiter.api.AfterEach;

/** Channels on a fake device that reports writes before they are placed. */
final class VerbsChannelTest extends VerbsWindows.Channels {
  private final FakeVerbs verbs = new FakeVerbs();

  VerbsChannelTest(ChannelMode mode) {
    super(mode);
    verbs.late();
  }

  @Override
  protected DeviceContext device() {
    return verbs.open();
  }

  @AfterEach
  void nothingIsLeft() {
    assertThat(verbs.live()).isEmpty();
  }
}
