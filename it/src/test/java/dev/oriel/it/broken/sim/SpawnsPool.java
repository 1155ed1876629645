package dev.oriel.it.broken.sim;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Creates a pool. */
final class SpawnsPool {
  ExecutorService pool() {
    return Executors.newSingleThreadExecutor();
  }
}
