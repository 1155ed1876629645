package dev.oriel.ports.contract;

import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.BootstrapException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Runs one task per rank, each rank on a virtual thread of its own. */
public final class RankThreads {
  private static final long TIMEOUT_SECONDS = 60;

  private RankThreads() {}

  /** The task of one rank. */
  @FunctionalInterface
  public interface Task<A, T> {
    T run(A rank) throws Exception;
  }

  /** Starts {@code task} on a thread of its own. */
  public static <A, T> CompletableFuture<T> start(A argument, Task<A, T> task) {
    CompletableFuture<T> future = new CompletableFuture<>();
    Thread.startVirtualThread(() -> {
      try {
        future.complete(task.run(argument));
      } catch (Throwable e) {
        future.completeExceptionally(e);
      }
    });
    return future;
  }

  /** The results of {@code task} on every rank, in rank order; fails if any rank failed. */
  public static <A, T> List<T> all(List<A> ranks, Task<A, T> task) {
    List<CompletableFuture<T>> running = startAll(ranks, task);
    List<T> values = new ArrayList<>();
    running.forEach(future -> values.add(value(future)));
    return values;
  }

  /** The failures of {@code task} on every rank, in rank order; fails if any rank succeeded. */
  public static <A, T> List<BootstrapException> failures(List<A> ranks, Task<A, T> task) {
    List<BootstrapException> failures = new ArrayList<>();
    startAll(ranks, task).forEach(future -> failures.add(failure(future)));
    return failures;
  }

  /** Waits for a value. */
  public static <T> T value(CompletableFuture<T> future) {
    return future.orTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS).join();
  }

  /** Waits for a failure. */
  public static BootstrapException failure(CompletableFuture<?> future) {
    return failure(BootstrapException.class, future);
  }

  /** The failures of {@code task} on every rank, in rank order; fails if any rank succeeded. */
  public static <A, T, E extends Throwable> List<E> failures(
      Class<E> type, List<A> ranks, Task<A, T> task) {
    List<E> failures = new ArrayList<>();
    startAll(ranks, task).forEach(future -> failures.add(failure(type, future)));
    return failures;
  }

  /** Waits for a failure of that type. */
  public static <E extends Throwable> E failure(Class<E> type, CompletableFuture<?> future) {
    try {
      throw new AssertionError(
          "a rank succeeded: " + future.get(TIMEOUT_SECONDS, TimeUnit.SECONDS));
    } catch (ExecutionException e) {
      if (type.isInstance(e.getCause())) {
        return type.cast(e.getCause());
      }
      throw new AssertionError("a rank failed in another way: " + e.getCause(), e);
    } catch (InterruptedException | TimeoutException e) {
      throw new AssertionError("a rank neither failed nor succeeded: " + e, e);
    }
  }

  /** All ranks but {@code absent}. */
  public static List<Bootstrap> without(List<Bootstrap> group, int absent) {
    return group.stream().filter(rank -> rank.rank() != absent).toList();
  }

  private static <A, T> List<CompletableFuture<T>> startAll(List<A> ranks, Task<A, T> task) {
    return ranks.stream().map(rank -> start(rank, task)).toList();
  }
}
