package dev.oriel.ibverbs.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.ibverbs.verbs.Context;
import dev.oriel.ibverbs.verbs.FakeVerbs;
import dev.oriel.ports.channel.Mode;
import org.junit.jupiter.api.AfterEach;

/** Channels on a fake device that reports writes before they are placed. */
final class VerbsChannelTest extends VerbsWindows.Channels {
  private final FakeVerbs verbs = new FakeVerbs();

  VerbsChannelTest(Mode mode) {
    super(mode);
    verbs.late();
  }

  @Override
  protected Context device() {
    return verbs.open();
  }

  @AfterEach
  void nothingIsLeft() {
    assertThat(verbs.live()).isEmpty();
  }
}
