package dev.oriel.ibverbs.fabric;

import dev.oriel.ibverbs.verbs.Context;
import dev.oriel.ibverbs.verbs.FakeVerbs;

/** The fabric on the fake device. */
final class VerbsFabricTest extends VerbsFabricContract {
  private final FakeVerbs verbs = new FakeVerbs();

  @Override
  protected Context device(int rank) {
    return verbs.open();
  }
}
