package dev.oriel.sim.machine;

import dev.oriel.sim.code.Opcode;

/**
 * What a machine keeps in order although the program does not ask for it: an edge that is tried as
 * advice, and features that are left out.
 */
final class Kept {
  final boolean syncs;
  final boolean bulkOrdered;
  final boolean aliased;
  final boolean unitsEnd;
  final boolean acquires;
  final boolean acquiresAll;
  final boolean releases;
  private final boolean ordersBehind;
  private final boolean ordersBefore;
  final boolean storesInOrder;
  final boolean scopes;
  final boolean consistent;
  final boolean oneQueue;

  /** Whether completions tell of the place; of one context alone where that is the edge. */
  private final boolean fused;

  private final boolean fusedByEdge;

  final boolean atomic;
  private final boolean waitsForAll;
  private final boolean completes;

  /** Whose requests come in order, where that is the edge. */
  private final Edge edge;

  Kept(Edge edge, Detectors detectors, Profile profile) {
    this.edge = edge;
    Remedy remedy = edge.remedy();
    syncs = remedy == Remedy.SYNC || lacks(detectors, Feature.THREADS);
    bulkOrdered = remedy == Remedy.BULK_ORDER;
    aliased = remedy == Remedy.ALIAS_ORDER;
    unitsEnd = remedy == Remedy.BULK_END || lacks(detectors, Feature.THREADS);
    acquiresAll = lacks(detectors, Feature.STALE_LOADS);
    acquires = remedy == Remedy.ACQUIRE || acquiresAll;
    releases = remedy == Remedy.RELEASE;
    ordersBehind = remedy == Remedy.ORDER_BEHIND;
    ordersBefore = remedy == Remedy.ORDER_BEFORE;
    storesInOrder = lacks(detectors, Feature.WEAK_STORES);
    scopes = remedy == Remedy.SCOPE;
    consistent = remedy == Remedy.CONSISTENCY || lacks(detectors, Feature.STAGES);
    oneQueue = lacks(detectors, Feature.QUEUES);
    atomic = lacks(detectors, Feature.ATOMICITY);
    waitsForAll = remedy == Remedy.PLACEMENT || lacks(detectors, Feature.STAGES);
    fused = profile.fused() || waitsForAll;
    fusedByEdge = !profile.fused() && !lacks(detectors, Feature.STAGES);
    completes = remedy == Remedy.COMPLETION;
  }

  private static boolean lacks(Detectors detectors, Feature feature) {
    return detectors.lacking().contains(feature);
  }

  /** Whether what a context places, or reads, comes in order; a fence orders nothing that reads. */
  boolean inOrder(int context, boolean reads) {
    boolean arranged = edge.remedy() == Remedy.ARRANGED && !reads;
    return oneQueue || (arranged && covers(context));
  }

  /** Whether a completion of a request of that context tells of the place. */
  boolean fused(int context) {
    return fused && (!fusedByEdge || covers(context));
  }

  private boolean covers(int context) {
    return edge.context() == Edge.EVERY || edge.context() == context;
  }

  /** Whether a lane fences before that instruction, as it may change a word. */
  boolean fencesBefore(int opcode) {
    return ordersBefore && opcode == Opcode.RMW;
  }

  /** Whether a lane fences behind that instruction, as it looks at a word. */
  boolean fencesBehind(int[] ops, int at) {
    return ordersBehind
        && switch (ops[at]) {
          case Opcode.RMW -> !Updates.posted(ops, at);
          case Opcode.POLL_WORD, Opcode.READ_SLOT -> true;
          default -> false;
        };
  }

  /** Whether a lane waits for its requests before that instruction. */
  boolean waits(int opcode) {
    return waitsForAll || (completes && opcode != Opcode.POST);
  }
}
