package dev.oriel.cuda.process;

import dev.oriel.cuda.driver.AllocationSharing;
import dev.oriel.cuda.driver.ExportedAllocation;
import dev.oriel.cuda.driver.OpenedAllocation;
import java.util.HashMap;
import java.util.Map;

/**
 * Allocations of other processes that are open here: each is opened once, for as long as it has a
 * holder. Two parts of an allocation, as the memory pools of frameworks give them out, thus become
 * two offsets into one mapping. If several such objects open the same allocation for a GPU, the
 * driver counts the openings.
 */
public final class OpenAllocations {
  private final AllocationSharing gpu;
  private final Map<Key, Mapping> open = new HashMap<>();

  /**
   * Identifies an allocation of any process. The id alone does not for memory that was mapped in
   * pieces: two buffers may begin in one piece and end in different ones.
   */
  record Key(ProcessSecret process, long id, long base, long bytes) {}

  private static final class Mapping {
    private final OpenedAllocation opened;
    private int holders;

    Mapping(OpenedAllocation opened) {
      this.opened = opened;
    }
  }

  /** One holder of an allocation; closing it twice releases it once. */
  final class AllocationHolder implements AutoCloseable {
    private final Key key;
    private final OpenedAllocation opened;
    private boolean closed;

    private AllocationHolder(Key key, OpenedAllocation opened) {
      this.key = key;
      this.opened = opened;
    }

    /** The address at which the allocation begins here. */
    long base() {
      return opened.base();
    }

    /** The number of bytes that are mapped. */
    long bytes() {
      return opened.bytes();
    }

    @Override
    public void close() {
      synchronized (OpenAllocations.this) {
        if (!closed) {
          closed = true;
          release(key);
        }
      }
    }
  }

  /** The allocations that are open for that GPU; none at first. */
  public OpenAllocations(AllocationSharing gpu) {
    this.gpu = gpu;
  }

  /** Adds a holder; the first one opens the allocation. */
  synchronized AllocationHolder hold(Key key, ExportedAllocation exported) {
    Mapping mapping = open.get(key);
    if (mapping == null) {
      mapping = new Mapping(gpu.open(exported));
      open.put(key, mapping);
    }
    mapping.holders++;
    return new AllocationHolder(key, mapping.opened);
  }

  private void release(Key key) {
    Mapping mapping = open.get(key);
    if (mapping != null && --mapping.holders == 0) {
      open.remove(key);
      mapping.opened.close();
    }
  }
}
