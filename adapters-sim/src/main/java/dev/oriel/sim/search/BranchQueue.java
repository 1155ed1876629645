package dev.oriel.sim.search;

import java.util.ArrayDeque;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The branches that the threads of one search leave to each other.
 *
 * <p>Every wait here ends. A branch is open from {@link #give} to {@link #done}, and a thread waits
 * for another branch only while some branch is open and the search is not stopped. A thread that
 * has a branch does not wait; it either ends it or stops the search. So the last open branch ends
 * all waits.
 */
final class BranchQueue {
  private final ArrayDeque<SearchBranch> given = new ArrayDeque<>();

  /** Branches that wait for a thread, and those that threads explore. */
  private int open;

  private int waiting;
  private int entered;
  private boolean closed;

  /** Whether more threads wait than branches. */
  private volatile boolean wanting;

  private volatile boolean stopped;

  /** Admits a thread, unless the search has ended. */
  synchronized boolean enter() {
    if (closed) {
      return false;
    }
    entered++;
    return true;
  }

  /** An admitted thread ends. */
  synchronized void leave() {
    entered--;
    notifyAll();
  }

  /** Whether a thread waits for a branch that nobody has given yet. */
  boolean wanting() {
    return wanting;
  }

  synchronized void give(SearchBranch branch) {
    given.add(branch);
    open++;
    wanting = waiting > given.size();
    notifyAll();
  }

  /**
   * Waits for a branch; null once all have been explored, or the search was stopped. An interrupt
   * does not end the wait, as it does not end the search of one thread; the thread keeps it.
   */
  synchronized @Nullable SearchBranch take() {
    waiting++;
    waitWhile(this::lacksBranch);
    waiting--;
    SearchBranch next = stopped ? null : given.poll();
    wanting = waiting > given.size();
    return next;
  }

  private synchronized boolean lacksBranch() {
    boolean lacks = given.isEmpty() && open > 0 && !stopped;
    wanting |= lacks;
    return lacks;
  }

  /** A thread has explored the branch that it took. */
  synchronized void done() {
    if (--open == 0) {
      notifyAll();
    }
  }

  /** Stops the search: no branch is explored any further. */
  synchronized void stop() {
    stopped = true;
    notifyAll();
  }

  boolean stopped() {
    return stopped;
  }

  /**
   * Admits no more threads, and waits until all have left. Whether every branch was explored to its
   * end.
   */
  synchronized boolean close() {
    closed = true;
    waitWhile(this::occupied);
    return open == 0 && !stopped;
  }

  private synchronized boolean occupied() {
    return entered > 0;
  }

  /** Waits; a thread that is interrupted meanwhile goes on to wait, and keeps the interrupt. */
  private synchronized void waitWhile(BooleanSupplier condition) {
    boolean interrupted = false;
    while (condition.getAsBoolean()) {
      try {
        wait();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
