package dev.oriel.cuda.process;

import dev.oriel.cuda.driver.Lending;
import java.util.HashMap;
import java.util.Map;

/**
 * Other processes' allocations that are open here: each once, for as long as somebody holds it. So
 * two pieces of an allocation, as pools of frameworks hand them out, are two offsets into one
 * mapping. Where several of these open the same for a GPU, the driver counts them.
 */
public final class OpenedOnce {
  private final Lending gpu;
  private final Map<Key, Mapping> open = new HashMap<>();

  /** An allocation, of whichever process. */
  record Key(Secret process, long id) {}

  private static final class Mapping {
    private final long base;
    private int holders;

    Mapping(long base) {
      this.base = base;
    }
  }

  /** Holds an allocation; closing it twice releases it once. */
  final class Held implements AutoCloseable {
    private final Key key;
    private final long base;
    private boolean closed;

    private Held(Key key, long base) {
      this.key = key;
      this.base = base;
    }

    /** Where the allocation begins here. */
    long base() {
      return base;
    }

    @Override
    public void close() {
      synchronized (OpenedOnce.this) {
        if (!closed) {
          closed = true;
          release(key);
        }
      }
    }
  }

  /** What that GPU has opened. */
  public OpenedOnce(Lending gpu) {
    this.gpu = gpu;
  }

  /** Holds it once more; opens it if nobody does. */
  synchronized Held hold(Key key, byte[] handle) {
    Mapping mapping = open.get(key);
    if (mapping == null) {
      mapping = new Mapping(gpu.open(handle));
      open.put(key, mapping);
    }
    mapping.holders++;
    return new Held(key, mapping.base);
  }

  private void release(Key key) {
    Mapping mapping = open.get(key);
    if (mapping != null && --mapping.holders == 0) {
      open.remove(key);
      gpu.close(mapping.base);
    }
  }
}
