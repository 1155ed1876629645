package dev.oriel.domain.window;

/**
 * The separate memories that hold a window's slots. They never share a word, since a GPU's atomics
 * and a NIC's atomics on one word are not atomic towards each other.
 */
public enum SlotMemory {
  /** Written by NVLINK peers with stores and atomics; a slot owns a whole 128-byte line. */
  NVLINK(128),
  /** Written by the NICs of peers; packed 8-byte words. */
  RDMA(8),
  /** Written by the owner's own NIC, never exchanged; packed 8-byte words. */
  COUNTER(8);

  private final int stride;

  SlotMemory(int stride) {
    this.stride = stride;
  }

  /** The distance between neighbouring slots in bytes. */
  public int stride() {
    return stride;
  }
}
