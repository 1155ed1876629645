package dev.oriel.sim.ranks;

import dev.oriel.ports.MachineException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Hands the turn between one rank's code and the machine. One of the two runs while the other
 * waits. Only the side that has the turn touches this object's fields; passing the turn publishes
 * them.
 */
final class TurnHandoff {
  /** A task begins at once on an executor with enough threads; after this time it never will. */
  private static final long TIMEOUT = TimeUnit.SECONDS.toNanos(10);

  private final AtomicBoolean begun = new AtomicBoolean();
  private volatile boolean codesTurn = true;
  private volatile @Nullable Thread machine;
  private @Nullable Thread code;
  private Optional<LaneRequest> request = Optional.empty();
  private Optional<LaneReply> reply = Optional.empty();
  private boolean over;

  /**
   * The code sends a request and waits for the answer. All requests of one execution come from one
   * thread.
   */
  LaneReply ask(LaneRequest asked) {
    if (over) {
      throw new ExecutionEnded();
    }
    if (code == null) {
      code = Thread.currentThread();
    } else if (!code.equals(Thread.currentThread())) {
      throw new MachineException(
          "call on the thread of another lane; take windows and buffers from the lane that uses them");
    }
    hand(Optional.of(asked));
    boolean interrupted = Thread.interrupted();
    while (!codesTurn) {
      LockSupport.park(this);
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (over) {
      throw new ExecutionEnded();
    }
    return reply.orElseThrow();
  }

  /** Whether the execution has ended, so that the code must end, too. */
  boolean over() {
    return over;
  }

  /** The code has completed. */
  void leave() {
    hand(Optional.empty());
  }

  private void hand(Optional<LaneRequest> what) {
    request = what;
    codesTurn = false;
    LockSupport.unpark(machine);
  }

  /** Whether the code may begin: not once the machine has given up waiting for it. */
  boolean begin() {
    boolean first = begun.compareAndSet(false, true);
    LockSupport.unpark(machine);
    return first;
  }

  /**
   * The machine waits for the code's first request; {@code start} makes the code {@link #begin}.
   */
  Optional<LaneRequest> first(int rank, Runnable start) {
    takeSeat();
    start.run();
    long until = System.nanoTime() + TIMEOUT;
    while (!begun.get()) {
      long left = until - System.nanoTime();
      if (left <= 0 && begun.compareAndSet(false, true)) {
        throw new MachineException(
            "executor has not begun what it was given: rank=%d, seconds=%d; pass one that has a thread for each rank and one more, as Thread::startVirtualThread"
                .formatted(rank, TimeUnit.NANOSECONDS.toSeconds(TIMEOUT)));
      }
      LockSupport.parkNanos(this, left);
    }
    return awaited();
  }

  /** The machine waits for the first request of code that already runs. */
  Optional<LaneRequest> first() {
    takeSeat();
    return awaited();
  }

  /**
   * The machine answers and waits for the code's next request; empty when the code completes
   * instead.
   */
  Optional<LaneRequest> answer(LaneReply answered) {
    reply = Optional.of(answered);
    return resume();
  }

  /** The machine makes the code end and waits until it has. */
  void end() {
    over = true;
    while (resume().isPresent()) {
      // Code that catches the error and continues receives it again at its next call.
    }
  }

  private Optional<LaneRequest> resume() {
    takeSeat();
    codesTurn = true;
    LockSupport.unpark(code);
    return awaited();
  }

  private void takeSeat() {
    Thread current = Thread.currentThread();
    if (!current.equals(machine)) {
      machine = current;
    }
  }

  private Optional<LaneRequest> awaited() {
    boolean interrupted = Thread.interrupted();
    while (codesTurn) {
      LockSupport.park(this);
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return request;
  }
}
