package dev.oriel.ibverbs.run;

import dev.oriel.domain.program.Atomic;
import dev.oriel.ibverbs.fabric.SendQueue;
import dev.oriel.ibverbs.post.BufferRange;
import dev.oriel.ibverbs.post.PostOperation;
import java.util.Optional;

/**
 * One change of a word by requests to its owner's interface, repeated until an answer shows that it
 * succeeded. A set is a compare-and-swap that expects the last value found; a lock is one that
 * expects 0.
 *
 * <p>After each failed request, twice as many polls pass without one, up to a bound. During these,
 * other requests can use the queue and the word, and may end the condition that this change waits
 * for.
 */
final class AtomicAttempt {
  private static final int LONGEST = 32;

  private final SendQueue queue;
  private final Atomic change;
  private final BufferRange word;
  private final BufferRange answer;
  private final long operand;
  private final boolean locks;
  private long expected;

  /** The number of the request under way; 0 if there is none. */
  private long number;

  private int pause = 1;

  /** The number of polls that must still pass before the next request. */
  private int left;

  private AtomicAttempt(
      SendQueue queue,
      Atomic change,
      BufferRange word,
      BufferRange answer,
      long operand,
      long expected,
      boolean locks) {
    this.queue = queue;
    this.change = change;
    this.word = word;
    this.answer = answer;
    this.operand = operand;
    this.expected = expected;
    this.locks = locks;
  }

  /**
   * A change of that word.
   *
   * @param answer the place for the old value; written by this lane's answers only
   * @param compare the expected value of a compare-and-swap
   */
  static AtomicAttempt change(
      SendQueue queue,
      Atomic change,
      BufferRange word,
      BufferRange answer,
      long operand,
      long compare) {
    return new AtomicAttempt(queue, change, word, answer, operand, compare, false);
  }

  /** Sets the word to 1 once it is 0. */
  static AtomicAttempt lock(SendQueue queue, BufferRange word, BufferRange answer) {
    return new AtomicAttempt(queue, Atomic.CAS, word, answer, 1, 0, true);
  }

  /** Whether the next request can be posted, or the one under way has been answered. */
  boolean ready() {
    if (left > 0) {
      left--;
      return false;
    }
    if (number == 0) {
      return queue.room(1);
    }
    if (queue.ended(number)) {
      return true;
    }
    queue.report();
    return false;
  }

  /** Posts the next request, unless one is under way; returns whether it did. */
  boolean ask(RankRun rank) {
    if (number != 0) {
      return false;
    }
    Optional<BufferRange> old = Optional.of(answer);
    PostOperation operation =
        switch (change) {
          case FETCH -> new PostOperation.AddWord(old, word, 0);
          case ADD -> new PostOperation.AddWord(old, word, operand);
          case SET, CAS -> new PostOperation.SwapWord(old, word, expected, operand);
        };
    number = rank.post(queue, operation);
    return true;
  }

  /**
   * Whether the change succeeded, according to the answer; if not, the next request expects the new
   * value.
   */
  boolean done(long old) {
    boolean done =
        switch (change) {
          case FETCH, ADD -> true;
          case CAS -> !locks || old == expected;
          case SET -> old == expected;
        };
    if (change == Atomic.SET) {
      expected = old;
    }
    number = 0;
    if (!done) {
      left = pause;
      pause = Math.min(2 * pause, LONGEST);
    }
    return done;
  }
}
