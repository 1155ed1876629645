package dev.oriel.sim.machine.terms;

import dev.oriel.sim.code.Opcode;
import dev.oriel.sim.code.Orders;

/**
 * Order that a machine keeps although the program does not ask for it. It comes from an edge that
 * is tried as advice, and from features that are left out.
 */
public final class Kept {
  public final boolean syncs;
  public final boolean bulkOrdered;
  public final boolean aliased;
  public final boolean unitsEnd;
  public final boolean acquires;
  public final boolean acquiresAll;
  public final boolean releases;
  private final boolean ordersBehind;
  private final boolean ordersBefore;
  private final boolean ordersBetween;
  public final boolean storesInOrder;
  public final boolean scopes;
  public final boolean consistent;
  public final boolean oneQueue;

  /** Whether completions imply the place; for one context only, if that is the edge. */
  private final boolean fused;

  private final boolean fusedByEdge;

  public final boolean atomic;
  private final boolean waitsForAll;
  private final boolean completes;

  /** The edge, which may name the context whose requests are in order. */
  private final Edge edge;

  public Kept(Edge edge, Detectors detectors, Profile profile) {
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
    ordersBetween = remedy == Remedy.ORDER_BETWEEN;
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

  /** Whether what a context places, or reads, is in order; a fence orders no reads. */
  public boolean inOrder(int context, boolean reads) {
    boolean arranged = edge.remedy() == Remedy.ARRANGED && !reads;
    return oneQueue || (arranged && covers(context));
  }

  /** Whether the completion of a request of that context implies its place. */
  public boolean fused(int context) {
    return fused && (!fusedByEdge || covers(context));
  }

  private boolean covers(int context) {
    return edge.context() == Edge.EVERY || edge.context() == context;
  }

  /** Whether a lane releases before that instruction, as it may change a word. */
  public boolean releasesBefore(int opcode) {
    return ordersBefore && (opcode == Opcode.RMW || opcode == Opcode.POST);
  }

  /** Whether a lane acquires after that instruction, as it reads a word. */
  public boolean acquiresBehind(int[] ops, int at) {
    return ordersBehind && (looks(ops[at]) || (ops[at] == Opcode.RMW && !Orders.posted(ops, at)));
  }

  /** Whether a lane fences before that instruction, for what it observed before. */
  public boolean fencesBefore(int opcode) {
    return ordersBetween && opcode == Opcode.RMW;
  }

  /** Whether a lane fences after that instruction, for what it signals later. */
  public boolean fencesBehind(int opcode) {
    return ordersBetween && looks(opcode);
  }

  private static boolean looks(int opcode) {
    return opcode == Opcode.POLL_WORD || opcode == Opcode.READ_SLOT;
  }

  /** Whether a lane waits for its requests before that instruction. */
  public boolean waits(int opcode) {
    return waitsForAll || (completes && opcode != Opcode.POST);
  }
}
