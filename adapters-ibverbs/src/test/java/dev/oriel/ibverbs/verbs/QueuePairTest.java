package dev.oriel.ibverbs.verbs;

import java.util.Map;

/** Queue pairs on the fake device, whose pointers and structs are the real ones. */
final class QueuePairTest extends QueuePairContract {
  private final FakeVerbs verbs = new FakeVerbs();

  @Override
  protected DeviceContext open() {
    return verbs.open();
  }

  @Override
  protected Object alive() {
    return verbs.unacknowledged() == 0
        ? verbs.live()
        : Map.of("events not acknowledged", verbs.unacknowledged());
  }
}
