package dev.oriel.ibverbs.fabric;

import dev.oriel.ibverbs.post.QueueState;
import dev.oriel.ibverbs.post.RequestEffect;
import dev.oriel.ibverbs.post.WorkRequest;
import dev.oriel.ibverbs.verbs.WorkCompletion;
import dev.oriel.ports.MachineException;
import java.util.Optional;

/**
 * The requests of one queue, numbered from 1 in the order of posting.
 *
 * <p>Credits: a request takes one, and returns it when its completion is known. Only one completion
 * in a batch is reported, since a completion covers all earlier requests; {@link #report} requests
 * the rest. One credit is reserved for that: a waiting caller can always request a report.
 */
public final class SendQueue {
  private final int peer;
  private final int number;
  private final WorkRequestSink poster;
  private final int depth;
  private QueueState state = QueueState.NEW;
  private long reported;
  private long ended;
  private Optional<String> failure = Optional.empty();

  /**
   * A queue without requests.
   *
   * @param number of the interface that carries it
   * @param depth the number of requests that it has room for
   */
  public SendQueue(int peer, int number, int depth, WorkRequestSink poster) {
    this.peer = peer;
    this.number = number;
    this.poster = poster;
    this.depth = depth;
  }

  /** The rank at the other end. */
  public int peer() {
    return peer;
  }

  /** The number of the interface that carries it, counted from 0. */
  public int number() {
    return number;
  }

  /**
   * Whether that many requests can be posted now; if not, requests a report of those under way.
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
      // The requests under way may be an unreported rest of a batch: without a report, their end
      // would stay unknown.
      report();
    }
    return fits;
  }

  /**
   * Posts a request; there must be room for it.
   *
   * @return its number, for {@link #ended}
   */
  public long post(RequestEffect effect, RequestDraft draft) {
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

  /** Makes sure that the end of every posted request is reported; returns the last number. */
  public long report() {
    check();
    // If all credits are in use, the last request was signalled: a batch is half as long.
    if (reported < state.posted() && state.posted() - ended < depth) {
      long number = state.posted() + 1;
      // A write without bytes accesses no memory: neither key is checked, and it waits for no
      // answer. A later write still has to wait.
      put(
          new WorkRequest.Write(
              number, true, false, new WorkRequest.Local(0, 0, 0), WorkRequest.Remote.NOWHERE),
          state.afterNothing());
    }
    return state.posted();
  }

  /**
   * Whether that request and all before it have completed successfully.
   *
   * @throws MachineException if the queue has failed
   */
  public boolean ended(long number) {
    check();
    return ended >= number;
  }

  /** Whether every posted request has ended, successfully or not. */
  public boolean idle() {
    return failure.isPresent() || ended == state.posted();
  }

  /** The number of the last request. */
  public long posted() {
    return state.posted();
  }

  /** Why the queue accepts no more requests; empty if it does. */
  public Optional<String> failure() {
    return failure;
  }

  /** Resets the queue as if nothing had been posted, after its queue pair was reset. */
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

  /** Processes a completion. */
  public void end(WorkCompletion completion) {
    if (completion.succeeded()) {
      completed(completion.id());
    } else {
      failed(
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

  /** All requests up to that one have completed. */
  public void completed(long id) {
    ended = Math.max(ended, id);
    if (ended == state.posted()) {
      state = state.awaited();
    }
  }

  /**
   * The queue can carry no more requests. Later failures follow from the first, which is the one
   * that is kept.
   */
  public void failed(String why) {
    if (failure.isEmpty()) {
      failure = Optional.of(why);
    }
  }
}
