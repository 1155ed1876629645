package dev.oriel.domain.program;

import dev.oriel.domain.window.Comparison;
import java.util.Optional;

/**
 * One-sided calls, as in libraries of puts and gets, with their looser order.
 *
 * <p>A call that names a <em>context</em> is issued on one of the lane's streams of calls, numbered
 * 0 to {@link #CONTEXTS} - 1. Calls of one context are unordered until a {@link Fence}; only a
 * {@link Quiet} of each orders two contexts. A blocking call returns when its own memory may be
 * used again; a non-blocking one returns at once. A {@link Op.Signal} covers the lane's moves, and
 * its puts only after a fence or quiet. Unless it says otherwise a call reaches one rank, and a
 * failed lane executes no call.
 */
public sealed interface Call extends Op {
  /** The number of contexts of a lane; a call that names none uses 0. */
  int CONTEXTS = 64;

  /** See {@link #CONTEXTS}. */
  Expr DEFAULT = Expr.of(0);

  /** {@code bytes} once, or repeatedly as the stride says. */
  record Extent(Expr bytes, Optional<Stride> stride) {
    public Extent(Expr bytes) {
      this(bytes, Optional.empty());
    }
  }

  /** {@code count} elements, each at that distance from the previous one at either end. */
  record Stride(Expr count, Expr to, Expr from) {
    /** The place of the element with that number, given the place of the first one. */
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
   *     source was read. After acquiring it, the source may be reused; it shows nothing about the
   *     target. No {@link Quiet} waits for it
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

    /** The same put, with that counter. */
    public Put counter(Region word) {
      return new Put(to, from, extent, notice, Optional.of(word), context, blocking);
    }

    /** The same put, blocking or not. */
    public Put blocking(boolean waits) {
      return new Put(to, from, extent, notice, counter, context, waits);
    }
  }

  /**
   * Changes a slot of the executing rank's row at the put's destination once that put's bytes have
   * arrived there. It covers nothing else; a failed lane delivers it too.
   */
  record Notify(String signal, Expr index, Op.Signal.Change change, Expr value) {
    /** The slot as a signal to the destination of that put names it. */
    public Slot slot(Region to) {
      return new Slot(signal, index, to.at());
    }
  }

  /** Reads one rank's bytes into own memory. A blocking get returns when they have arrived. */
  record Get(Region to, Region from, Extent extent, Expr context, boolean blocking)
      implements Call {}

  /**
   * Changes an aligned 64-bit word of one rank in one atomic step, once. It orders only that word,
   * and waits for nothing if it has no result.
   *
   * @param compare the comparand of {@link Atomic#CAS}; 0 for other changes
   */
  record Change(
      Optional<Result> result, Region word, Atomic change, Expr operand, Expr compare, Expr context)
      implements Call {
    public Change {
      operand = change == Atomic.FETCH ? Expr.of(0) : operand;
      compare = change == Atomic.CAS ? compare : Expr.of(0);
    }
  }

  /**
   * The place of the old word in own memory, and whether the call returns only when it has arrived.
   */
  record Result(Region into, boolean blocking) {}

  /**
   * Delivers the lane's earlier puts and changes on the context to each rank before its later ones
   * there. It completes nothing: gets and results may still be in flight.
   */
  record Fence(Expr context) implements Call {}

  /**
   * Orders the lane's own accesses of memory, earlier before later ones, for agents of the scope. A
   * strict one is also in one total order with all strict ones whose scopes reach each other. It
   * does not affect requests and puts in flight.
   */
  record MemoryFence(boolean strict, Scope scope) implements Call {}

  /**
   * Copies bytes of mapped memory by the block's bulk-copy unit, concurrently with its threads. The
   * copy happens at some time before the lane's next {@link AwaitBulk} ends, unordered with the
   * lane's other bulk copies in flight, and no earlier signal covers it. It is ordered after
   * accesses of threads, and of other units, that happen before it in the lane only if an {@link
   * OrderProxy} of this lane is in between. Addresses and length are multiples of {@link #UNIT}.
   */
  record Bulk(Region to, Region from, Expr bytes) implements Call {
    /** The granularity of the bulk-copy unit in bytes. */
    public static final int UNIT = 16;
  }

  /** Waits until the lane's bulk copies have ended, for every thread of the lane. */
  record AwaitBulk() implements Call {}

  /**
   * Orders everything that the lane did or is ordered after before the lane's later accesses
   * through that proxy. It orders nothing else.
   */
  record OrderProxy(Proxy proxy) implements Call {}

  /**
   * Waits until every call of the context has ended: sources may be reused, results have arrived,
   * and puts are visible to every agent ordered after the quiet.
   */
  record Quiet(Expr context) implements Call {}

  /**
   * Waits until a 64-bit word of own memory satisfies the comparison. With {@link Order#ACQUIRE},
   * everything delivered before the observed change is visible to every later operation of the
   * lane.
   */
  record Wait(Region word, Comparison comparison, Expr value, Order order) implements Call {}

  /**
   * Reads the current value of one source's slot. Without {@code until} it does not wait.
   *
   * @param until a condition that it waits for, but only for a limited time
   */
  record Read(String register, Slot slot, Order order, Optional<Until> until) implements Call {
    /** A read that does not wait. */
    public Read(String register, Slot slot, Order order) {
      this(register, slot, order, Optional.empty());
    }
  }

  /**
   * A condition for the value that a {@link Read} or a {@link LoadStrong} returns. It waits until
   * the condition holds or that many nanoseconds have passed. Its register then holds the value
   * that it read last, so the program compares it again.
   */
  record Until(Comparison comparison, Expr value, long nanoseconds) {
    /** The longest time: an hour. */
    public static final long LONGEST = 3_600_000_000_000L;
  }

  /**
   * Reads a 64-bit word of own memory that others may change at the same time.
   *
   * @param until as for {@link Read}
   */
  record LoadStrong(String register, Region word, Order order, Optional<Until> until)
      implements Call {
    /** A load that does not wait. */
    public LoadStrong(String register, Region word, Order order) {
      this(register, word, order, Optional.empty());
    }
  }

  /** Writes a 64-bit word of own memory that others may read or change at the same time. */
  record StoreStrong(Region word, Expr value, Order order) implements Call {}

  /**
   * Waits until an aligned 64-bit word of one rank is 0 and makes it 1 in the same atomic step. The
   * data that the word's last {@link Unlock} released is visible to every later operation of the
   * lane, if both scopes reach the other lane.
   */
  record Lock(Region word, Scope scope) implements Call {
    public Lock(Region word) {
      this(word, Scope.SYS);
    }
  }

  /** Performs a {@link Quiet} of context 0, then makes the word 0 with release. */
  record Unlock(Region word, Scope scope) implements Call {
    public Unlock(Region word) {
      this(word, Scope.SYS);
    }
  }

  /**
   * Waits until every member of the barrier's team has come here as often as this lane. A member's
   * earlier accesses of its own memory are visible to every member afterwards. With {@code quiet},
   * its earlier puts on context 0 are visible too, since a {@link Quiet} of context 0 comes first.
   * A failed lane still arrives, so it does not block the others.
   */
  record Meet(String barrier, boolean quiet) implements Call {}
}
