package dev.oriel.it.broken.sim;

import java.util.concurrent.CompletableFuture;

/** Runs on a pool that the application did not pass. */
final class BorrowsPool {
  CompletableFuture<Integer> run() {
    return CompletableFuture.supplyAsync(() -> 1);
  }
}
