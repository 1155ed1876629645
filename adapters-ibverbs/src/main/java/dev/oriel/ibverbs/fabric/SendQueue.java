package dev.oriel.ibverbs.fabric;

import dev.oriel.ibverbs.post.Effect;
import dev.oriel.ibverbs.post.QueueState;
import dev.oriel.ibverbs.post.WorkRequest;
import dev.oriel.ibverbs.verbs.Completion;
import dev.oriel.ports.MachineException;
import java.util.Optional;

/**
 * The requests of one queue, numbered from 1 in the order of posting.
 *
 * <p>Credits: a request takes one and gives it back when its end is known. Only every so many are
 * reported, since a report tells of all before it; {@link #report} asks for the rest. One credit is
 * kept for that, so that whoever waits can always ask.
 */
public final class SendQueue {
  private final int peer;
  private final int number;
  private final Poster poster;
  private final int depth;
  private QueueState state = QueueState.NEW;
  private long reported;
  private long ended;
  private Optional<String> failure = Optional.empty();

  /**
   * @param number of the interface that carries it
   * @param depth how many requests it has room for
   */
  public SendQueue(int peer, int number, int depth, Poster poster) {
    this.peer = peer;
    this.number = number;
    this.poster = poster;
    this.depth = depth;
  }

  /** Which rank is at the other end. */
  public int peer() {
    return peer;
  }

  /** Which interface carries it, counted from 0. */
  public int number() {
    return number;
  }

  /**
   * Whether that many requests can be posted now; if not, the end of those under way is asked for.
   *
   * @throws MachineException if they never can, or the queue has failed
   */
  public boolean room(int requests) {
    if (requests < 1 || requests >= depth) {
      throw new MachineException(
          "reservation larger than the queue: peer=%d, requests=%d, max=%d; reserve less, or set a greater depth"
              .formatted(peer, requests, depth - 1));
    }
    check();
    boolean fits = state.posted() - ended + requests < depth;
    if (!fits) {
      // What is under way may be the unreported rest of a batch: ask, or nobody will ever know.
      report();
    }
    return fits;
  }

  /**
   * Posts a request; there must be room for it.
   *
   * @return its number, which {@link #ended} takes
   */
  public long post(Effect effect, Draft draft) {
    long number = state.posted() + 1;
    if (number - ended > depth) {
      throw new MachineException(
          "no credit: peer=%d, under way=%d, depth=%d; wait for room before posting"
              .formatted(peer, number - 1 - ended, depth));
    }
    boolean signalled = number - reported >= depth / 2;
    put(draft.complete(number, signalled, state.fences(effect)), state.after(effect));
    return number;
  }

  private void put(WorkRequest work, QueueState after) {
    poster.post(work);
    state = after;
    if (work.signalled()) {
      reported = work.id();
    }
  }

  /** Sees to it that the end of everything posted will be reported; returns the last number. */
  public long report() {
    check();
    // With every credit under way the last one was signalled: batches are half as long.
    if (reported < state.posted() && state.posted() - ended < depth) {
      long number = state.posted() + 1;
      // Without bytes nothing is read or written, so neither key is looked at, and no answer is
      // waited for: whatever writes behind it still must.
      put(
          new WorkRequest.Write(
              number, true, false, new WorkRequest.Local(0, 0, 0), WorkRequest.Remote.NOWHERE),
          state.afterNothing());
    }
    return state.posted();
  }

  /**
   * Whether that request and all before it have ended well.
   *
   * @throws MachineException if the queue has failed
   */
  public boolean ended(long number) {
    check();
    return ended >= number;
  }

  /** Whether everything that was posted has ended, well or not. */
  public boolean idle() {
    return failure.isPresent() || ended == state.posted();
  }

  /** The number of the last request. */
  public long posted() {
    return state.posted();
  }

  /** Why the queue takes no more, if it does not. */
  public Optional<String> failure() {
    return failure;
  }

  /** As if nothing had been posted, after its pair was reset. */
  void renew() {
    state = QueueState.NEW;
    reported = 0;
    ended = 0;
    failure = Optional.empty();
  }

  private void check() {
    if (failure.isPresent()) {
      throw new MachineException(failure.get());
    }
  }

  /** Takes note of an end. The first failure is the one to tell: what follows it is dropped. */
  public void end(Completion completion) {
    if (completion.succeeded()) {
      ended = Math.max(ended, completion.id());
      if (ended == state.posted()) {
        state = state.awaited();
      }
    } else if (failure.isEmpty()) {
      failure =
          Optional.of(
              "request failed: peer=%d, request=%d, status=%s, vendor=0x%x: %s; %s"
                  .formatted(
                      peer,
                      completion.id(),
                      completion.status(),
                      completion.vendor(),
                      completion.status().text(),
                      completion.status().remedy()));
    }
  }
}
