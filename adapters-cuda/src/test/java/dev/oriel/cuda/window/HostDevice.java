package dev.oriel.cuda.window;

import dev.oriel.cuda.driver.Descriptor;
import dev.oriel.cuda.driver.DeviceMemory;
import dev.oriel.cuda.driver.SharedMemory;
import dev.oriel.cuda.driver.SharedPages;
import dev.oriel.ports.MachineException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Stands in for a GPU by pages of the host, which processes map as they map a GPU's memory. Runs no
 * kernels.
 */
@SuppressWarnings("restricted")
public final class HostDevice implements DeviceMemory {
  private final UUID uuid = UUID.randomUUID();
  private final Map<Long, Arena> allocated = new ConcurrentHashMap<>();
  private final long bytes;
  private final AtomicLong left;

  /**
   * @param bytes that peers may map at most
   */
  public HostDevice(long bytes) {
    this.bytes = bytes;
    left = new AtomicLong(bytes);
  }

  @Override
  public UUID uuid() {
    return uuid;
  }

  @Override
  public SharedMemory share(long bytes) {
    long wanted = Math.max(1, bytes);
    if (left.addAndGet(-wanted) < 0) {
      left.addAndGet(wanted);
      throw new MachineException("no memory: bytes=" + bytes + "; ask for less");
    }
    return new Counted(SharedPages.MAKER.share(wanted), wanted);
  }

  @Override
  public SharedMemory open(Descriptor file, long bytes) {
    return SharedPages.MAKER.open(file, bytes);
  }

  @Override
  public long allocate(long bytes) {
    Arena arena = Arena.ofShared();
    long address = arena.allocate(bytes, Long.BYTES).address();
    allocated.put(address, arena);
    return address;
  }

  @Override
  public void free(long address) {
    allocated.remove(address).close();
  }

  @Override
  public void write(long address, byte[] bytes) {
    MemorySegment.copy(bytes, 0, at(address, bytes.length), ValueLayout.JAVA_BYTE, 0, bytes.length);
  }

  @Override
  public byte[] read(long address, int length) {
    return at(address, length).toArray(ValueLayout.JAVA_BYTE);
  }

  @Override
  public void copy(long to, long from, long bytes) {
    at(to, bytes).copyFrom(at(from, bytes));
  }

  /** Nothing is left of it. */
  @Override
  public void close() {
    if (left.get() != bytes || !allocated.isEmpty()) {
      throw new MachineException(
          "memory is left: bytes=%d, allocations=%d; close it before"
              .formatted(bytes - left.get(), allocated.size()));
    }
  }

  private static MemorySegment at(long address, long bytes) {
    return MemorySegment.ofAddress(address).reinterpret(bytes);
  }

  private final class Counted implements SharedMemory {
    private final SharedPages pages;
    private final long counted;
    private boolean closed;

    Counted(SharedPages pages, long counted) {
      this.pages = pages;
      this.counted = counted;
    }

    @Override
    public long address() {
      return pages.address();
    }

    @Override
    public long bytes() {
      return pages.bytes();
    }

    @Override
    public Descriptor export() {
      return pages.export();
    }

    @Override
    public void close() {
      if (!closed) {
        closed = true;
        pages.close();
        left.addAndGet(counted);
      }
    }
  }
}
