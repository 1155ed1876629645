package dev.oriel.sim.ranks;

import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Where one rank's code and the machine meet. One of the two runs while the other waits: whoever
 * has the turn may touch what lies on the desk, and hands all of it over with the turn.
 */
final class Desk {
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
    code = Thread.currentThread();
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

  /** The code has come to its end. */
  void leave() {
    hand(Optional.empty());
  }

  private void hand(Optional<Request> what) {
    request = what;
    codesTurn = false;
    LockSupport.unpark(machine);
  }

  /** The machine waits for what the code asks first; {@code start} makes it run, unless it does. */
  Optional<Request> first(Runnable start) {
    takeSeat();
    start.run();
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
