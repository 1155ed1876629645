package dev.oriel.ibverbs.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.ibverbs.verbs.DeviceContext;
import dev.oriel.ibverbs.verbs.FakeVerbs;
import org.junit.jupiter.api.AfterEach;

/** Memory of the application on the fake device; afterwards no registration is left. */
final class VerbsUserMemoryTest extends VerbsWindows.UserMemories {
  private final FakeVerbs verbs = new FakeVerbs();

  @Override
  protected DeviceContext device() {
    return verbs.open();
  }

  @AfterEach
  void nothingIsLeft() {
    assertThat(verbs.live()).isEmpty();
  }
}
