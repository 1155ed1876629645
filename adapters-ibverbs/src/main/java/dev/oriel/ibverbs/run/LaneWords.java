package dev.oriel.ibverbs.run;

import dev.oriel.domain.lowering.Micro;
import dev.oriel.domain.program.Atomic;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Region;
import dev.oriel.ibverbs.fabric.SendQueue;
import dev.oriel.ibverbs.post.BufferRange;
import dev.oriel.ibverbs.post.LaneNames;
import dev.oriel.ibverbs.post.Posting;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * What one lane does with single words: its own ones, by the processor or, where {@link Atomicity}
 * says so, by the interface; and peers' ones, where it takes answers to know what to ask for. A
 * step that begins to ask is over when the answers say so, and none other is taken meanwhile.
 */
final class LaneWords {
  private final int lane;
  private final LaneNames names;
  private final Posting posting;
  private final RankRun rank;
  private final ToLongFunction<Region> places;
  private Optional<Attempt> attempt = Optional.empty();

  /**
   * The words of that lane.
   *
   * @param places where a word of the rank's own memory lies, which refuses others
   */
  LaneWords(
      int lane, LaneNames names, Posting posting, RankRun rank, ToLongFunction<Region> places) {
    this.lane = lane;
    this.names = names;
    this.posting = posting;
    this.rank = rank;
    this.places = places;
  }

  /** Nothing is asked for any more. */
  void forget() {
    attempt = Optional.empty();
  }

  /** Whether an interface is being asked. */
  boolean asking() {
    return attempt.isPresent();
  }

  /** Whether {@link #ask} can go on. */
  boolean ready() {
    return attempt.filter(Attempt::ready).isPresent();
  }

  /** Asks, or looks at the answer; whether the step is over. */
  boolean ask(Micro step) {
    Attempt change = attempt.orElseThrow();
    if (change.ask(rank)) {
      return false;
    }
    long old = rank.memory().getAcquire(rank.answer(lane));
    if (!change.done(old)) {
      return false;
    }
    attempt = Optional.empty();
    switch (step) {
      case Micro.Post(_, _, Micro.Request.ChangeWord c, _, _) ->
          c.result().ifPresent(into -> rank.memory().setRelease(places.applyAsLong(into), old));
      case Micro.Rmw r -> names.set(r.register(), old);
      default -> {}
    }
    return true;
  }

  /** What an own word holds now. */
  long seen(Region word) {
    return rank.memory().getAcquire(places.applyAsLong(word));
  }

  boolean satisfied(Micro.PollWord p) {
    return p.comparison().test(seen(p.word()), names.value(p.value()));
  }

  /** Whether the lock can be tried. */
  boolean ready(Micro.Lock l) {
    return byInterface(l.word()) || seen(l.word()) == 0;
  }

  /** Changes an own word; whether the step is over. */
  boolean change(Micro.Rmw r) {
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

  /** Locks an own word; whether the step is over. */
  boolean lock(Micro.Lock l) {
    if (byInterface(l.word())) {
      BufferRange word = posting.word(self(), l.word());
      attempt = Optional.of(Attempt.lock(loopback(), word, answer()));
      return false;
    }
    return rank.memory().change(places.applyAsLong(l.word()), Atomic.CAS, 1, 0) == 0;
  }

  /** Begins to ask for what the post is of, if that takes answers; whether it does. */
  boolean asks(Micro.Post p, SendQueue queue) {
    switch (p.request()) {
      case Micro.Request.Lock(var word) ->
          attempt = Optional.of(Attempt.lock(queue, word(p, word), answer()));
      case Micro.Request.ChangeWord c when swaps(c) ->
          attempt =
              Optional.of(change(queue, c.change(), word(p, c.word()), c.operand(), c.compare()));
      default -> {}
    }
    return asking();
  }

  /** A write to a word is no step to atomics on it, and does not say what the word was. */
  private boolean swaps(Micro.Request.ChangeWord c) {
    return c.change() == Atomic.SET && (c.result().isPresent() || byInterface(c.word()));
  }

  private Attempt change(
      SendQueue queue, Atomic change, BufferRange word, Expr operand, Expr compare) {
    return Attempt.change(
        queue, change, word, answer(), names.value(operand), names.value(compare));
  }

  private BufferRange word(Micro.Post p, Region word) {
    return posting.word(names.peer(p.peer()), word);
  }

  private BufferRange answer() {
    return new BufferRange(self(), Places.ANSWERS, (long) Long.BYTES * lane, Long.BYTES);
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
