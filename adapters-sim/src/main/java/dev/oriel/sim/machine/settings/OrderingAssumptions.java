package dev.oriel.sim.machine.settings;

import dev.oriel.sim.code.AccessOrders;
import dev.oriel.sim.code.LaneOpcode;

/**
 * Order that a machine keeps although the program does not ask for it. It comes from an edge that
 * is tried as advice, and from features that are left out.
 */
public final class OrderingAssumptions {
  public final boolean syncs;
  public final boolean bulkOrdered;
  public final boolean aliased;
  public final boolean unitsEnd;
  public final boolean acquires;
  public final boolean acquiresAll;
  public final boolean releases;
  private final boolean ordersAfter;
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
  private final SuppliedOrder edge;

  public OrderingAssumptions(SuppliedOrder edge, DetectorSet detectors, Profile profile) {
    this.edge = edge;
    OrderRemedy remedy = edge.remedy();
    syncs = remedy == OrderRemedy.SYNC || lacks(detectors, MachineFeature.THREADS);
    bulkOrdered = remedy == OrderRemedy.BULK_ORDER;
    aliased = remedy == OrderRemedy.ALIAS_ORDER;
    unitsEnd = remedy == OrderRemedy.BULK_END || lacks(detectors, MachineFeature.THREADS);
    acquiresAll = lacks(detectors, MachineFeature.STALE_LOADS);
    acquires = remedy == OrderRemedy.ACQUIRE || acquiresAll;
    releases = remedy == OrderRemedy.RELEASE;
    ordersAfter = remedy == OrderRemedy.ORDER_AFTER;
    ordersBefore = remedy == OrderRemedy.ORDER_BEFORE;
    ordersBetween = remedy == OrderRemedy.ORDER_BETWEEN;
    storesInOrder = lacks(detectors, MachineFeature.WEAK_STORES);
    scopes = remedy == OrderRemedy.SCOPE;
    consistent = remedy == OrderRemedy.CONSISTENCY || lacks(detectors, MachineFeature.STAGES);
    oneQueue = lacks(detectors, MachineFeature.QUEUES);
    atomic = lacks(detectors, MachineFeature.ATOMICITY);
    waitsForAll = remedy == OrderRemedy.PLACEMENT || lacks(detectors, MachineFeature.STAGES);
    fused = profile.fused() || waitsForAll;
    fusedByEdge = !profile.fused() && !lacks(detectors, MachineFeature.STAGES);
    completes = remedy == OrderRemedy.COMPLETION;
  }

  private static boolean lacks(DetectorSet detectors, MachineFeature feature) {
    return detectors.lacking().contains(feature);
  }

  /** Whether what a context places, or reads, is in order; a fence orders no reads. */
  public boolean inOrder(int context, boolean reads) {
    boolean arranged = edge.remedy() == OrderRemedy.ARRANGED && !reads;
    return oneQueue || (arranged && covers(context));
  }

  /** Whether the completion of a request of that context implies its place. */
  public boolean fused(int context) {
    return fused && (!fusedByEdge || covers(context));
  }

  private boolean covers(int context) {
    return edge.context() == SuppliedOrder.EVERY || edge.context() == context;
  }

  /** Whether a lane releases before that instruction, as it may change a word. */
  public boolean releasesBefore(int opcode) {
    return ordersBefore && (opcode == LaneOpcode.RMW || opcode == LaneOpcode.POST);
  }

  /** Whether a lane acquires after that instruction, as it reads a word. */
  public boolean acquiresAfter(int[] ops, int at) {
    return ordersAfter
        && (polls(ops[at]) || (ops[at] == LaneOpcode.RMW && !AccessOrders.posted(ops, at)));
  }

  /** Whether a lane fences before that instruction, for what it observed before. */
  public boolean fencesBefore(int opcode) {
    return ordersBetween && opcode == LaneOpcode.RMW;
  }

  /** Whether a lane fences after that instruction, for what it signals later. */
  public boolean fencesAfter(int opcode) {
    return ordersBetween && polls(opcode);
  }

  private static boolean polls(int opcode) {
    return opcode == LaneOpcode.POLL_WORD || opcode == LaneOpcode.READ_SLOT;
  }

  /** Whether a lane waits for its requests before that instruction. */
  public boolean waits(int opcode) {
    return waitsForAll || (completes && opcode != LaneOpcode.POST);
  }
}
