package dev.oriel.sim.litmus.test;

/** The memory order of an access or a fence. */
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
