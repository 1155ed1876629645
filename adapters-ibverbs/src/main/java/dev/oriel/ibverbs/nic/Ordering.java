package dev.oriel.ibverbs.nic;

import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * Which order among elements of one queue pair is kept; among queue pairs there is none.
 *
 * <p>An element <em>acts</em> (a write reads its source; a read or an atomic meets the peer's
 * memory), then <em>lands</em> (a write meets the peer's memory; an answer is stored), then
 * completes. What is ordered is when two elements meet the peer's memory. Completions of a queue
 * pair are always in order, and what tells the peer (a send, a write with immediate) meets it after
 * every earlier write.
 *
 * @param kept the kinds that meet the peer's memory behind an earlier element of a kind, without a
 *     fence
 * @param oneByOne an element starts when all earlier ones have completed
 * @param earlyCompletion a write completes once its source was read, though it may not be placed
 * @param relaxedRegions a write into memory registered so may be placed before earlier writes
 * @param anyPlacement any write may be
 */
public record Ordering(
    Map<Kind, Set<Kind>> kept,
    boolean oneByOne,
    boolean earlyCompletion,
    boolean relaxedRegions,
    boolean anyPlacement) {
  private static final Set<Kind> ALL =
      Collections.unmodifiableSet(EnumSet.of(Kind.WRITE, Kind.READ, Kind.ATOMIC));

  /** What reliable connections promise: writes keep everything behind them, answers only reads. */
  private static final Map<Kind, Set<Kind>> RELIABLE_TABLE =
      Map.of(
          Kind.WRITE, ALL,
          Kind.READ, Set.of(Kind.READ),
          Kind.ATOMIC, Set.of(Kind.READ),
          Kind.LOCAL, Set.of());

  /** One element at a time: more order than any interface promises. */
  public static final Ordering IN_ORDER = new Ordering(RELIABLE_TABLE, true, false, false, false);

  /** What a reliable connection promises, and no more. */
  public static final Ordering RELIABLE = new Ordering(RELIABLE_TABLE, false, true, false, false);

  /** {@link #RELIABLE} with memory for which order was given up. */
  public static final Ordering RELAXED = new Ordering(RELIABLE_TABLE, false, true, true, false);

  /** {@link #RELIABLE} over a network that takes several ways: queue pairs created so. */
  public static final Ordering SCATTERED = new Ordering(RELIABLE_TABLE, false, true, true, true);

  public Ordering {
    // Not a copy by Map.copyOf: that has another order in every process.
    kept = Collections.unmodifiableMap(new EnumMap<>(kept));
  }

  boolean keeps(Kind first, Kind second) {
    return kept.getOrDefault(first, Set.of()).contains(second);
  }
}
