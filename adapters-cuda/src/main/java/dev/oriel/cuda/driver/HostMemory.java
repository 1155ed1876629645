package dev.oriel.cuda.driver;

import dev.oriel.ports.MachineException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import jcuda.CudaException;
import jcuda.Pointer;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.JCudaDriver;

/** Zeroed memory of the host that every GPU of this process loads from and stores to. */
@SuppressWarnings("restricted")
public final class HostMemory implements AutoCloseable {
  private static final int PORTABLE_AND_MAPPED = 1 | 2;

  private final Gpu gpu;
  private final Pointer host = new Pointer();
  private final ByteBuffer bytes;
  private final long address;
  private boolean closed;

  public HostMemory(Gpu gpu, long length) {
    if (length < 1 || length > Integer.MAX_VALUE) {
      throw new MachineException(
          "host memory of that size is not to be had: bytes=%d, min=1, max=%d; use smaller buffers"
              .formatted(length, Integer.MAX_VALUE));
    }
    this.gpu = gpu;
    gpu.current();
    try {
      JCudaDriver.cuMemHostAlloc(host, length, PORTABLE_AND_MAPPED);
    } catch (CudaException e) {
      throw gpu.failed("allocate host bytes=" + length, e);
    }
    CUdeviceptr device = new CUdeviceptr();
    JCudaDriver.cuMemHostGetDevicePointer(device, host, 0);
    address = Addresses.of(device);
    MemorySegment segment = MemorySegment.ofAddress(Addresses.of(host)).reinterpret(length);
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
      gpu.current();
      JCudaDriver.cuMemFreeHost(host);
    }
  }
}
