package dev.oriel.ibverbs.verbs;

/** Queue pairs on the fake device, whose pointers and structs are the real ones. */
final class QueuePairTest extends QueuePairContract {
  private final FakeVerbs verbs = new FakeVerbs();

  @Override
  protected Context open() {
    return verbs.open();
  }

  /** It has no file that a thread could sleep on. */
  @Override
  protected boolean wakes() {
    return false;
  }

  @Override
  protected Object alive() {
    return verbs.live();
  }
}
