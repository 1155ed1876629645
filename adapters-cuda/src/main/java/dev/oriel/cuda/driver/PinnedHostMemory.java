package dev.oriel.cuda.driver;

import dev.oriel.ports.MachineException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Zeroed memory of the host that every GPU of this process loads from and stores to. */
@SuppressWarnings("restricted")
public final class PinnedHostMemory implements AutoCloseable {
  private final ResourceStack owned = new ResourceStack();
  private final ByteBuffer bytes;
  private final long address;

  /** Allocates such memory. */
  interface Driver {

    /** The address of so many bytes in this process. */
    long allocate(long bytes);

    /** The address of the memory for GPUs. */
    long device(long host);

    void free(long host);
  }

  public PinnedHostMemory(Gpu gpu, long length) {
    this(new PinnedPages(gpu), length);
  }

  PinnedHostMemory(Driver driver, long length) {
    if (length < 1 || length > Integer.MAX_VALUE) {
      throw new MachineException(
          "host memory of that size is not to be had: bytes=%d, min=1, max=%d; use smaller buffers"
              .formatted(length, Integer.MAX_VALUE));
    }
    long host = driver.allocate(length);
    owned.add(() -> driver.free(host));
    try {
      address = driver.device(host);
    } catch (RuntimeException e) {
      throw owned.closeSuppressing(e);
    }
    MemorySegment segment = MemorySegment.ofAddress(host).reinterpret(length);
    segment.fill((byte) 0);
    bytes = segment.asByteBuffer().order(ByteOrder.nativeOrder());
  }

  /** The address of the memory for GPUs. */
  public long address() {
    return address;
  }

  /** The memory as this process reaches it; not to be used after close. */
  public ByteBuffer bytes() {
    return bytes.duplicate().order(ByteOrder.nativeOrder());
  }

  @Override
  public void close() {
    owned.close();
  }
}
