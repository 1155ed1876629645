package dev.oriel.ibverbs.run;

import dev.oriel.domain.lowering.MicroOperation;
import dev.oriel.domain.program.Atomic;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Region;
import dev.oriel.ibverbs.fabric.SendQueue;
import dev.oriel.ibverbs.post.BufferRange;
import dev.oriel.ibverbs.post.LaneNames;
import dev.oriel.ibverbs.post.PostResolver;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * One lane's steps on single words. Own words are changed by the processor, or by the interface
 * where {@link WordAtomicity} demands it. A peer's word is changed here if further requests depend
 * on an answer. A step that has begun requests ends when an answer shows its success; the lane
 * executes no other step meanwhile.
 */
final class LaneWords {
  private final int lane;
  private final LaneNames names;
  private final PostResolver posting;
  private final RankRun rank;
  private final ToLongFunction<Region> places;
  private Optional<AtomicAttempt> attempt = Optional.empty();

  /**
   * The words of that lane.
   *
   * @param places the place of a word in the rank's own memory; refuses others
   */
  LaneWords(
      int lane,
      LaneNames names,
      PostResolver posting,
      RankRun rank,
      ToLongFunction<Region> places) {
    this.lane = lane;
    this.names = names;
    this.posting = posting;
    this.rank = rank;
    this.places = places;
  }

  /** Drops a change under way. */
  void forget() {
    attempt = Optional.empty();
  }

  /** Whether a change by the interface is under way. */
  boolean asking() {
    return attempt.isPresent();
  }

  /** Whether {@link #ask} can make progress. */
  boolean ready() {
    return attempt.filter(AtomicAttempt::ready).isPresent();
  }

  /** Posts the next request, or reads the answer; returns whether the step is over. */
  boolean ask(MicroOperation step) {
    AtomicAttempt change = attempt.orElseThrow();
    if (change.ask(rank)) {
      return false;
    }
    long old = rank.memory().getAcquire(rank.answer(lane));
    if (!change.done(old)) {
      return false;
    }
    attempt = Optional.empty();
    switch (step) {
      case MicroOperation.Post(_, _, MicroOperation.Request.ChangeWord c, _, _) ->
          c.result().ifPresent(into -> rank.memory().setRelease(places.applyAsLong(into), old));
      case MicroOperation.Rmw r -> names.set(r.register(), old);
      default -> {}
    }
    return true;
  }

  /** The present value of an own word. */
  long seen(Region word) {
    return rank.memory().getAcquire(places.applyAsLong(word));
  }

  boolean satisfied(MicroOperation.PollWord p) {
    return p.comparison().test(seen(p.word()), names.value(p.value()));
  }

  /** Whether the lock can be tried. */
  boolean ready(MicroOperation.Lock l) {
    return byInterface(l.word()) || seen(l.word()) == 0;
  }

  /** Changes an own word; returns whether the step is over. */
  boolean change(MicroOperation.Rmw r) {
    if (r.change() != Atomic.FETCH && byInterface(r.word())) {
      BufferRange word = posting.word(self(), r.word());
      attempt = Optional.of(change(loopback(), r.change(), word, r.operand(), r.compare()));
      return false;
    }
    long place = places.applyAsLong(r.word());
    long old =
        rank.memory().change(place, r.change(), names.value(r.operand()), names.value(r.compare()));
    names.set(r.register(), old);
    return true;
  }

  /** Locks an own word; returns whether the step is over. */
  boolean lock(MicroOperation.Lock l) {
    if (byInterface(l.word())) {
      BufferRange word = posting.word(self(), l.word());
      attempt = Optional.of(AtomicAttempt.lock(loopback(), word, answer()));
      return false;
    }
    return rank.memory().change(places.applyAsLong(l.word()), Atomic.CAS, 1, 0) == 0;
  }

  /** Begins the post's change if it depends on answers; returns whether it does. */
  boolean asks(MicroOperation.Post p, SendQueue queue) {
    switch (p.request()) {
      case MicroOperation.Request.Lock(var word) ->
          attempt = Optional.of(AtomicAttempt.lock(queue, word(p, word), answer()));
      case MicroOperation.Request.ChangeWord c when swaps(c) ->
          attempt =
              Optional.of(change(queue, c.change(), word(p, c.word()), c.operand(), c.compare()));
      default -> {}
    }
    return asking();
  }

  /**
   * Whether a set needs a compare-and-swap: a write is not atomic with respect to atomics on the
   * word, and does not return the old value.
   */
  private boolean swaps(MicroOperation.Request.ChangeWord c) {
    return c.change() == Atomic.SET && (c.result().isPresent() || byInterface(c.word()));
  }

  private AtomicAttempt change(
      SendQueue queue, Atomic change, BufferRange word, Expr operand, Expr compare) {
    return AtomicAttempt.change(
        queue, change, word, answer(), names.value(operand), names.value(compare));
  }

  private BufferRange word(MicroOperation.Post p, Region word) {
    return posting.word(names.peer(p.peer()), word);
  }

  private BufferRange answer() {
    return new BufferRange(self(), RankMemoryLayout.ANSWERS, (long) Long.BYTES * lane, Long.BYTES);
  }

  private boolean byInterface(Region word) {
    return rank.byInterface(word.buffer());
  }

  private SendQueue loopback() {
    return rank.queue(self(), lane, 0);
  }

  private int self() {
    return names.rank().rank();
  }
}
