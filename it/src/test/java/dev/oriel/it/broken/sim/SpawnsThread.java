package dev.oriel.it.broken.sim;

/** Creates a thread. */
final class SpawnsThread {
  Thread spawn(Runnable task) {
    return Thread.ofVirtual().unstarted(task);
  }
}
