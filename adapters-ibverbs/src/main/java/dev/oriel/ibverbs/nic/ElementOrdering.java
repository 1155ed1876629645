package dev.oriel.ibverbs.nic;

import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * The order that is kept among elements of one queue pair; among queue pairs there is none.
 *
 * <p>An element <em>acts</em>: a write reads its source; a read or an atomic accesses the peer's
 * memory. Then it <em>lands</em>: a write changes the peer's memory; an answer is stored. Then it
 * completes. The rules order the accesses of two elements to the peer's memory. Completions of a
 * queue pair are always in order. An element that notifies the peer (a send, a write with
 * immediate) accesses its memory after every earlier write.
 *
 * @param kept for each kind of an earlier element, the kinds that access the peer's memory after it
 *     without a fence
 * @param oneByOne an element starts when all earlier ones have completed
 * @param earlyCompletion a write completes once its source was read, possibly before it is placed
 * @param relaxedRegions a write into memory registered as relaxed may be placed before earlier
 *     writes
 * @param anyPlacement any write may be placed before earlier writes
 */
public record ElementOrdering(
    Map<ElementKind, Set<ElementKind>> kept,
    boolean oneByOne,
    boolean earlyCompletion,
    boolean relaxedRegions,
    boolean anyPlacement) {
  private static final Set<ElementKind> ALL =
      Collections.unmodifiableSet(
          EnumSet.of(ElementKind.WRITE, ElementKind.READ, ElementKind.ATOMIC));

  /**
   * The promises of a reliable connection: all kinds are ordered after an earlier write, but only
   * reads after an earlier read or atomic.
   */
  private static final Map<ElementKind, Set<ElementKind>> RELIABLE_TABLE =
      Map.of(
          ElementKind.WRITE, ALL,
          ElementKind.READ, Set.of(ElementKind.READ),
          ElementKind.ATOMIC, Set.of(ElementKind.READ),
          ElementKind.LOCAL, Set.of());

  /** One element at a time: more order than any interface promises. */
  public static final ElementOrdering IN_ORDER =
      new ElementOrdering(RELIABLE_TABLE, true, false, false, false);

  /** Exactly the promises of a reliable connection. */
  public static final ElementOrdering RELIABLE =
      new ElementOrdering(RELIABLE_TABLE, false, true, false, false);

  /** {@link #RELIABLE}, with memory that was registered as relaxed. */
  public static final ElementOrdering RELAXED =
      new ElementOrdering(RELIABLE_TABLE, false, true, true, false);

  /**
   * {@link #RELIABLE} over a network with several paths, on queue pairs that were created for it.
   */
  public static final ElementOrdering SCATTERED =
      new ElementOrdering(RELIABLE_TABLE, false, true, true, true);

  public ElementOrdering {
    // Not Map.copyOf: its iteration order differs in every process.
    kept = Collections.unmodifiableMap(new EnumMap<>(kept));
  }

  boolean keeps(ElementKind first, ElementKind second) {
    return kept.getOrDefault(first, Set.of()).contains(second);
  }
}
