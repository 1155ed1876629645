package dev.oriel.cuda.driver;

/**
 * An opened allocation.
 *
 * @param owned unmaps it
 */
record OpenedRange(long base, long bytes, ResourceStack owned) implements OpenedAllocation {
  @Override
  public void close() {
    owned.close();
  }
}
