package dev.oriel.bootstrap;

import dev.oriel.ports.BootstrapException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Ranks of one process that meet at one lock.
 *
 * <p>Invariant: a complete round never fails; a failed group never completes another round. The
 * thread that completes or fails a round wakes all that wait for it.
 */
final class InProcessGroup {
  private final int world;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private @Nullable CollectiveRound gathering;
  private @Nullable BootstrapException failure;

  InProcessGroup(int world) {
    this.world = world;
  }

  GroupLink end(int rank) {
    return new End(rank);
  }

  private final class End implements GroupLink {
    private final int rank;
    private boolean closing;

    End(int rank) {
      this.rank = rank;
    }

    @Override
    public List<ByteBuffer> exchange(CollectiveCall call) {
      lock.lock();
      try {
        CollectiveRound round = enter(call);
        awaitCompletion(round);
        return round.result();
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void requestClose() {
      lock.lock();
      try {
        closing = true;
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void release() {
      lock.lock();
      try {
        fail(
            BootstrapErrors.lost(
                rank, "closed its end", gathering == null ? "none" : gathering.label()));
      } finally {
        lock.unlock();
      }
    }

    private CollectiveRound enter(CollectiveCall call) {
      refuseWhenOver();
      if (Thread.currentThread().isInterrupted()) {
        throw abandon(call.label());
      }
      CollectiveRound round = gathering;
      if (round == null) {
        round = new CollectiveRound(world, rank, call.label(), call.deadline());
        gathering = round;
      }
      try {
        round.offer(rank, call.label(), call.contribution(), call.deadline());
      } catch (BootstrapException mismatch) {
        throw fail(mismatch);
      }
      if (round.complete()) {
        gathering = null;
      }
      changed.signalAll();
      return round;
    }

    private void awaitCompletion(CollectiveRound round) {
      try {
        while (!round.complete()) {
          refuseWhenOver();
          long left = round.deadline().left();
          if (left <= 0) {
            throw fail(BootstrapErrors.missing(round.missing(), round.label(), world));
          }
          boolean _ = changed.await(left, TimeUnit.NANOSECONDS);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        if (!round.complete()) {
          throw abandon(round.label());
        }
      }
    }

    private void refuseWhenOver() {
      if (closing) {
        throw BootstrapErrors.closed(rank);
      }
      if (failure != null) {
        throw BootstrapErrors.again(failure);
      }
    }

    private BootstrapException abandon(String label) {
      fail(BootstrapErrors.lost(rank, "interrupted", label));
      return BootstrapErrors.interrupted(rank);
    }

    private BootstrapException fail(BootstrapException first) {
      if (failure == null) {
        failure = first;
        changed.signalAll();
      }
      return failure;
    }
  }
}
