package dev.oriel.cuda.driver;

import dev.oriel.ports.MachineException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Zeroed memory of the host that every GPU of this process loads from and stores to. */
@SuppressWarnings("restricted")
public final class HostMemory implements AutoCloseable {
  private final Driver driver;
  private final long host;
  private final ByteBuffer bytes;
  private final long address;
  private boolean closed;

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
    this.driver = driver;
    host = driver.allocate(length);
    try {
      address = driver.device(host);
    } catch (RuntimeException e) {
      driver.free(host);
      throw e;
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
    if (!closed) {
      closed = true;
      driver.free(host);
    }
  }
}
