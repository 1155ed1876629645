package dev.oriel.sim.machine;

import dev.oriel.domain.program.Order;

/** What the order of an access asks for, as flat code numbers it. */
@SuppressWarnings("EnumOrdinal") // flat code is made of ordinals
final class Orders {
  private static final int ACQUIRE = Order.ACQUIRE.ordinal();
  private static final int RELEASE = Order.RELEASE.ordinal();
  private static final int ACQ_REL = Order.ACQ_REL.ordinal();

  private Orders() {}

  static boolean acquires(int order) {
    return order == ACQUIRE || order == ACQ_REL;
  }

  static boolean releases(int order) {
    return order == RELEASE || order == ACQ_REL;
  }
}
