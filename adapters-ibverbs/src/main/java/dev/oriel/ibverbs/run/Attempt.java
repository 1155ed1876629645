package dev.oriel.ibverbs.run;

import dev.oriel.domain.program.Atomic;
import dev.oriel.ibverbs.fabric.SendQueue;
import dev.oriel.ibverbs.post.BufferRange;
import dev.oriel.ibverbs.post.Operation;
import java.util.Optional;

/**
 * One change of a word that its owner's interface is asked for until an answer says that it is
 * done. A set is a swap for whatever the word was found to be; a lock one for 0 alone.
 *
 * <p>Each try in vain is followed by twice as many looks without one, up to a bound: those that the
 * queue and the word are left to meanwhile may end what is waited for.
 */
final class Attempt {
  private static final int LONGEST = 32;

  private final SendQueue queue;
  private final Atomic change;
  private final BufferRange word;
  private final BufferRange answer;
  private final long operand;
  private final boolean locks;
  private long expected;

  /** Of the request that is under way; 0 if none is. */
  private long number;

  private int pause = 1;

  /** How many looks are still to pass before the next request. */
  private int left;

  private Attempt(
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
   * @param answer where what the word was goes, which nobody else writes
   * @param compare what a compare-and-swap expects
   */
  static Attempt change(
      SendQueue queue,
      Atomic change,
      BufferRange word,
      BufferRange answer,
      long operand,
      long compare) {
    return new Attempt(queue, change, word, answer, operand, compare, false);
  }

  /** Makes that word 1 where it is 0. */
  static Attempt lock(SendQueue queue, BufferRange word, BufferRange answer) {
    return new Attempt(queue, Atomic.CAS, word, answer, 1, 0, true);
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

  /** Posts the next request, unless one was; returns whether it did. */
  boolean ask(RankRun rank) {
    if (number != 0) {
      return false;
    }
    Optional<BufferRange> old = Optional.of(answer);
    Operation operation =
        switch (change) {
          case FETCH -> new Operation.AddWord(old, word, 0);
          case ADD -> new Operation.AddWord(old, word, operand);
          case SET, CAS -> new Operation.SwapWord(old, word, expected, operand);
        };
    number = rank.post(queue, operation);
    return true;
  }

  /** Whether it is done, as the answer says; if not, the next request takes account of it. */
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
