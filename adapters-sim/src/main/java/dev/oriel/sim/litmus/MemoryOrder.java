package dev.oriel.sim.litmus;

/** How an access or a fence orders its neighbours. */
enum MemoryOrder {
  WEAK,
  RELAXED,
  ACQUIRE,
  RELEASE,
  ACQ_REL,
  SC;

  boolean strong() {
    return this != WEAK;
  }

  boolean acquires() {
    return this == ACQUIRE || this == ACQ_REL;
  }

  boolean releases() {
    return this == RELEASE || this == ACQ_REL;
  }
}
