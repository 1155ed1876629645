package dev.oriel.ports.setup;

import dev.oriel.ports.MachineException;

/**
 * The bytes that a fabric has allocated, and the number of open pieces, its own and those of peers.
 * Not thread-safe.
 */
public final class AllocationLedger {
  private final long capacity;
  private long allocated;
  private int open;

  /** An allotment with nothing allocated. */
  public AllocationLedger(long capacity) {
    this.capacity = capacity;
  }

  /**
   * Rejects a negative size, or one that does not fit.
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

  /** Counts a new piece; a peer's piece counts 0 bytes. */
  public void opened(long bytes) {
    allocated += bytes;
    open++;
  }

  /** Counts a freed piece. */
  public void closed(long bytes) {
    allocated -= bytes;
    open--;
  }

  /** The number of allocated bytes. */
  public long allocated() {
    return allocated;
  }

  /** Throws if pieces are still open. */
  public void requireNoneOpen() {
    if (open > 0) {
      throw new MachineException(
          "fabric still has memory: pieces=%d, bytes=%d; close what was allocated and opened"
              .formatted(open, allocated));
    }
  }
}
