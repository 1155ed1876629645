package dev.oriel.sim.ranks;

import dev.oriel.ports.MachineException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Where one rank's code and the machine meet. One of the two runs while the other waits: whoever
 * has the turn may touch what lies on the desk, and hands all of it over with the turn.
 */
final class Desk {
  /** A thread that was asked for begins at once; one that has not by then never will. */
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(10);

  private final AtomicBoolean begun = new AtomicBoolean();
  private volatile boolean codesTurn = true;
  private volatile @Nullable Thread machine;
  private @Nullable Thread code;
  private Optional<Request> request = Optional.empty();
  private Optional<Reply> reply = Optional.empty();
  private boolean over;

  /** The code asks, and waits for the answer; of one thread for as long as an execution lasts. */
  Reply ask(Request asked) {
    if (over) {
      throw new Over();
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
      throw new Over();
    }
    return reply.orElseThrow();
  }

  /** Whether the code is to end. */
  boolean over() {
    return over;
  }

  /** The code has come to its end. */
  void leave() {
    hand(Optional.empty());
  }

  private void hand(Optional<Request> what) {
    request = what;
    codesTurn = false;
    LockSupport.unpark(machine);
  }

  /** Whether the code may begin: not where the machine has given up waiting for it. */
  boolean begin() {
    boolean first = begun.compareAndSet(false, true);
    LockSupport.unpark(machine);
    return first;
  }

  /** The machine waits for what the code asks first; {@code start} makes it {@link #begin}. */
  Optional<Request> first(int rank, Runnable start) {
    takeSeat();
    start.run();
    long until = System.nanoTime() + PATIENCE;
    while (!begun.get()) {
      long left = until - System.nanoTime();
      if (left <= 0 && begun.compareAndSet(false, true)) {
        throw new MachineException(
            "executor has not begun what it was given: rank=%d, seconds=%d; pass one that has a thread for each rank and one more, as Thread::startVirtualThread"
                .formatted(rank, TimeUnit.NANOSECONDS.toSeconds(PATIENCE)));
      }
      LockSupport.parkNanos(this, left);
    }
    return awaited();
  }

  /** The machine waits for what code that runs already asks first. */
  Optional<Request> first() {
    takeSeat();
    return awaited();
  }

  /** The machine answers, and waits for what the code asks next; empty when it ends instead. */
  Optional<Request> answer(Reply answered) {
    reply = Optional.of(answered);
    return resume();
  }

  /** The machine lets the code end and waits for that. */
  void end() {
    over = true;
    while (resume().isPresent()) {
      // Code that goes on in spite of the error is told again.
    }
  }

  private Optional<Request> resume() {
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

  private Optional<Request> awaited() {
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
