package dev.oriel.sim.code;

import dev.oriel.domain.program.Atomic;
import dev.oriel.domain.program.Order;

/** The properties of an access's order, as numbered in flat code. */
@SuppressWarnings("EnumOrdinal") // flat code is made of ordinals
public final class AccessOrders {
  private static final int ACQUIRE = Order.ACQUIRE.ordinal();
  private static final int RELEASE = Order.RELEASE.ordinal();
  private static final int ACQ_REL = Order.ACQ_REL.ordinal();
  private static final int RELAXED = Order.RELAXED.ordinal();
  private static final int FETCH = Atomic.FETCH.ordinal();

  private AccessOrders() {}

  public static boolean acquires(int order) {
    return order == ACQUIRE || order == ACQ_REL;
  }

  public static boolean releases(int order) {
    return order == RELEASE || order == ACQ_REL;
  }

  /** Whether the change is posted: its lane issues it and continues. */
  public static boolean posted(int[] ops, int at) {
    return ops[at + 1] < 0 && ops[at + 8] == RELAXED && ops[at + 5] != FETCH;
  }
}
