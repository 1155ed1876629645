package dev.oriel.ibverbs.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.ibverbs.verbs.DeviceContext;
import dev.oriel.ibverbs.verbs.FakeVerbs;
import org.junit.jupiter.api.AfterEach;

/** Persistent calls on a fake device that reports writes before they are placed. */
final class VerbsPersistentTest extends VerbsWindows.Persistent {
  private final FakeVerbs verbs = new FakeVerbs();

  VerbsPersistentTest() {
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
