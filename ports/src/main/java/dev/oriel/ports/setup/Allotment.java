package dev.oriel.ports.setup;

import dev.oriel.ports.MachineException;

/**
 * What a fabric has given out of its memory, and how many pieces are open: its own, and those of
 * peers. For whoever is the only one to use the fabric.
 */
public final class Allotment {
  private final long capacity;
  private long allocated;
  private int open;

  /** All of it free. */
  public Allotment(long capacity) {
    this.capacity = capacity;
  }

  /**
   * Refuses a size that is none, or for which there is no room.
   *
   * @param largest the most that one piece may have
   */
  public void require(long bytes, long largest) {
    if (bytes < 0) {
      throw new IllegalArgumentException("negative size: bytes=" + bytes + "; use 0 or more");
    }
    long free = Math.min(capacity - allocated, largest);
    if (bytes > free) {
      throw MachineException.lacking(
          "not enough memory: bytes=%d, free=%d, capacity=%d; ask for less, or give the rank more"
              .formatted(bytes, free, capacity));
    }
  }

  /** A piece is there; one of a peer's takes nothing of it. */
  public void opened(long bytes) {
    allocated += bytes;
    open++;
  }

  /** A piece is gone. */
  public void closed(long bytes) {
    allocated -= bytes;
    open--;
  }

  /** How many bytes are given out. */
  public long allocated() {
    return allocated;
  }

  /** Refuses to end while pieces are open. */
  public void requireNoneOpen() {
    if (open > 0) {
      throw new MachineException(
          "fabric still has memory: pieces=%d, bytes=%d; close what was allocated and opened"
              .formatted(open, allocated));
    }
  }
}
