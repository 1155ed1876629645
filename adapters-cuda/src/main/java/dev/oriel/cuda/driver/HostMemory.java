package dev.oriel.cuda.driver;

import dev.oriel.ports.MachineException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Zeroed memory of the host that every GPU of this process loads from and stores to. */
@SuppressWarnings("restricted")
public final class HostMemory implements AutoCloseable {
  private final Resources owned = new Resources();
  private final ByteBuffer bytes;
  private final long address;

  /** What allocates it. */
  interface Driver {

    /** Where this process finds so many bytes. */
    long allocate(long bytes);

    /** Where GPUs find them. */
    long device(long host);

    void free(long host);
  }

  public HostMemory(Gpu gpu, long length) {
    this(new PinnedPages(gpu), length);
  }

  HostMemory(Driver driver, long length) {
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
      throw owned.closeBehind(e);
    }
    MemorySegment segment = MemorySegment.ofAddress(host).reinterpret(length);
    segment.fill((byte) 0);
    bytes = segment.asByteBuffer().order(ByteOrder.nativeOrder());
  }

  /** Where GPUs find it. */
  public long address() {
    return address;
  }

  /** As this process finds it; not to be used once it is closed. */
  public ByteBuffer bytes() {
    return bytes.duplicate().order(ByteOrder.nativeOrder());
  }

  @Override
  public void close() {
    owned.close();
  }
}
