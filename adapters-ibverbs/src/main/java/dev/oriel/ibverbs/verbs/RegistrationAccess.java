package dev.oriel.ibverbs.verbs;

/** The accesses that a registration allows. */
public enum RegistrationAccess {
  /** The device may write for this process: reads, atomics and receives. */
  LOCAL_WRITE(1),
  /** Peers may write here. */
  REMOTE_WRITE(2),
  /** Peers may read here. */
  REMOTE_READ(4),
  /** Peers may use atomics. */
  REMOTE_ATOMIC(8),
  /** Bytes may become visible in another order than they were sent in. */
  RELAXED_ORDERING(1 << 20);

  private final int bit;

  RegistrationAccess(int bit) {
    this.bit = bit;
  }

  int bit() {
    return bit;
  }
}
