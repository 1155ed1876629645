package dev.oriel.it.broken.sim;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** Runs on the executor that was passed. */
final class Fine {
  CompletableFuture<Integer> run(Executor executor) {
    return CompletableFuture.supplyAsync(() -> 1, executor);
  }
}
