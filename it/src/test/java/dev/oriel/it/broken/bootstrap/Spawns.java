package dev.oriel.it.broken.bootstrap;

/** Creates the thread that the embedder should have passed. */
final class Spawns {
  Thread spawn(Runnable task) {
    return new Thread(task);
  }
}
