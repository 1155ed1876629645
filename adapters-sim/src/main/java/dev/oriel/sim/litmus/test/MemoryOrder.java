package dev.oriel.sim.litmus.test;

/** How an access or a fence orders its neighbours. */
public enum MemoryOrder {
  WEAK,
  RELAXED,
  ACQUIRE,
  RELEASE,
  ACQ_REL,
  SC;

  public boolean strong() {
    return this != WEAK;
  }

  public boolean acquires() {
    return this == ACQUIRE || this == ACQ_REL;
  }

  public boolean releases() {
    return this == RELEASE || this == ACQ_REL;
  }
}
