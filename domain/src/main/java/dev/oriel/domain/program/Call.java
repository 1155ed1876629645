package dev.oriel.domain.program;

import dev.oriel.domain.window.Comparison;
import java.util.Optional;

/**
 * One-sided calls: what libraries of puts and gets offer, with their looser order.
 *
 * <p>A call that names a <em>context</em> is issued on one of the lane's streams of calls, numbered
 * 0 to {@link #CONTEXTS} - 1. Calls of one context are unordered among themselves until a {@link
 * Fence}; nothing orders two contexts but a {@link Quiet} of each. A blocking call returns when its
 * own memory may be used again; one that is not returns at once. A {@link Op.Signal} covers the
 * lane's moves, and its puts only behind a fence or quiet. Unless it says otherwise a call reaches
 * one rank, and a failed lane executes no call.
 */
public sealed interface Call extends Op {
  /** How many contexts a lane has; 0 is the one that a call uses where it names none. */
  int CONTEXTS = 64;

  /** See {@link #CONTEXTS}. */
  Expr DEFAULT = Expr.of(0);

  /** {@code bytes} once, or as often and as far apart as the stride says. */
  record Extent(Expr bytes, Optional<Stride> stride) {
    public Extent(Expr bytes) {
      this(bytes, Optional.empty());
    }
  }

  /** {@code count} elements, each that many bytes behind the one before at either end. */
  record Stride(Expr count, Expr to, Expr from) {
    /** Where the element of that number lies, given where the first one does. */
    public Region element(Region first, Expr step, Expr number) {
      Expr offset = first.offset().plus(number.times(step));
      return new Region(first.buffer(), first.at(), offset, first.access());
    }
  }

  /**
   * Writes own bytes into one rank's memory. A blocking put returns when the source may be reused;
   * it says nothing about when the bytes arrive.
   *
   * @param counter an aligned 64-bit word of own memory to which 1 is added at some time after the
   *     source was read: who acquires it may reuse the source, and learns nothing about the target;
   *     no {@link Quiet} waits for it
   */
  record Put(
      Region to,
      Region from,
      Extent extent,
      Optional<Notify> notice,
      Optional<Region> counter,
      Expr context,
      boolean blocking)
      implements Call {
    public Put(
        Region to,
        Region from,
        Extent extent,
        Optional<Notify> notice,
        Expr context,
        boolean blocking) {
      this(to, from, extent, notice, Optional.empty(), context, blocking);
    }

    /** The same put, which counts there. */
    public Put counter(Region word) {
      return new Put(to, from, extent, notice, Optional.of(word), context, blocking);
    }

    /** The same put, returning at once or not. */
    public Put blocking(boolean waits) {
      return new Put(to, from, extent, notice, counter, context, waits);
    }
  }

  /**
   * Changes a slot of the executing rank's row at the put's destination once that put's bytes have
   * arrived there. It covers nothing else, and is delivered also by a failed lane.
   */
  record Notify(String signal, Expr index, Op.Signal.Change change, Expr value) {
    /** The slot as a signal to the destination of that put names it. */
    public Slot slot(Region to) {
      return new Slot(signal, index, to.at());
    }
  }

  /** Reads one rank's bytes into own memory. A blocking get returns when they are there. */
  record Get(Region to, Region from, Extent extent, Expr context, boolean blocking)
      implements Call {}

  /**
   * Changes an aligned 64-bit word of one rank in one indivisible step, once. Orders nothing but
   * that word; nothing is awaited where no result is asked for.
   *
   * @param compare what {@link Atomic#CAS} compares with; 0 for other changes
   */
  record Change(
      Optional<Result> result, Region word, Atomic change, Expr operand, Expr compare, Expr context)
      implements Call {
    public Change {
      operand = change == Atomic.FETCH ? Expr.of(0) : operand;
      compare = change == Atomic.CAS ? compare : Expr.of(0);
    }
  }

  /** Where the old word goes, of own memory, and whether the call returns only when it is there. */
  record Result(Region into, boolean blocking) {}

  /**
   * Whatever the lane put and changed on the context before is delivered to each rank before what
   * it puts and changes there afterwards. Completes nothing: gets and results may still be on their
   * way.
   */
  record Fence(Expr context) implements Call {}

  /**
   * Orders the lane's own accesses of memory, earlier before later ones, for agents of the scope; a
   * strict one also stands in one order with all strict ones whose scopes reach each other.
   * Requests and puts that are under way it leaves alone.
   */
  record MemoryFence(boolean strict, Scope scope) implements Call {}

  /**
   * Copies bytes of mapped memory by the block's bulk-copy unit, beside its threads: at some time
   * before the lane's next {@link AwaitBulk} ends, in no order with its other bulk copies under
   * way, and covered by no signal before. It comes behind accesses of threads, and of other units,
   * that the lane is ordered behind only if an {@link OrderProxy} of this lane stands in between.
   * Addresses and length are multiples of {@link #UNIT}.
   */
  record Bulk(Region to, Region from, Expr bytes) implements Call {
    /** What a bulk-copy unit copies at once. */
    public static final int UNIT = 16;
  }

  /** Waits until the lane's bulk copies have ended, for every thread of the lane. */
  record AwaitBulk() implements Call {}

  /**
   * Whatever the lane did before, or is ordered behind, comes before what it does through that
   * proxy afterwards. Orders nothing else.
   */
  record OrderProxy(Proxy proxy) implements Call {}

  /**
   * Waits until every call of the context has ended: sources may be reused, results are there, and
   * what was put is visible to whoever is ordered after the quiet.
   */
  record Quiet(Expr context) implements Call {}

  /**
   * Waits until a 64-bit word of own memory compares true. With {@link Order#ACQUIRE} what was
   * delivered before the change that it saw is visible to every later operation of the lane.
   */
  record Wait(Region word, Comparison comparison, Expr value, Order order) implements Call {}

  /** Reads the slot of one source's row as it happens to be, without waiting. */
  record Read(String register, Slot slot, Order order) implements Call {}

  /** Reads a 64-bit word of own memory that others may change at the same time. */
  record LoadStrong(String register, Region word, Order order) implements Call {}

  /** Writes a 64-bit word of own memory that others may read or change at the same time. */
  record StoreStrong(Region word, Expr value, Order order) implements Call {}

  /**
   * Waits until an aligned 64-bit word of one rank is 0 and makes it 1 in the same step. What the
   * last {@link Unlock} of the word released is visible to every later operation of the lane, where
   * both scopes reach the other lane.
   */
  record Lock(Region word, Scope scope) implements Call {
    public Lock(Region word) {
      this(word, Scope.SYS);
    }
  }

  /** Does what a {@link Quiet} of context 0 does, then makes the word 0, releasing. */
  record Unlock(Region word, Scope scope) implements Call {
    public Unlock(Region word) {
      this(word, Scope.SYS);
    }
  }

  /**
   * Waits until every member of the barrier's team has come here as often as this lane. What a
   * member did in its own memory before is visible to every member after, and with {@code quiet}
   * what it put on context 0 as well: then a {@link Quiet} of context 0 stands in front. A failed
   * lane still lets the others go on.
   */
  record Meet(String barrier, boolean quiet) implements Call {}
}
