package dev.oriel.ibverbs.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.ibverbs.verbs.DeviceContext;
import dev.oriel.ibverbs.verbs.FakeVerbs;
import java.util.List;
import org.junit.jupiter.api.AfterAll;

/** On the fake device. */
final class ProxiedExecutorTest extends ProxiedExecutorContract {
  private static final FakeVerbs VERBS = new FakeVerbs();

  @AfterAll
  static void nothingIsLeft() {
    assertThat(VERBS.live()).isEmpty();
  }

  @Override
  protected List<DeviceContext> devices() {
    return List.of(VERBS.open());
  }
}
