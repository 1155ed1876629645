package dev.oriel.ibverbs.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.ibverbs.verbs.DeviceContext;
import dev.oriel.ibverbs.verbs.FakeVerbs;
import org.junit.jupiter.api.AfterEach;

/** Lanes on a fake device that reports writes before they are placed. */
final class VerbsLaneTest extends VerbsWindows.Lanes {
  private final FakeVerbs verbs = new FakeVerbs();

  VerbsLaneTest() {
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
