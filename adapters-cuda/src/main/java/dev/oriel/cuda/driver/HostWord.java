package dev.oriel.cuda.driver;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import jcuda.Pointer;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.JCudaDriver;

/** A word in host memory that every GPU of this process can read. */
@SuppressWarnings("restricted")
public final class HostWord implements AutoCloseable {
  private static final int PORTABLE_AND_MAPPED = 1 | 2;
  private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();

  private final Gpu gpu;
  private final Pointer host = new Pointer();
  private final MemorySegment word;
  private final long address;
  private boolean closed;

  public HostWord(Gpu gpu) {
    this.gpu = gpu;
    gpu.current();
    JCudaDriver.cuMemHostAlloc(host, Long.BYTES, PORTABLE_AND_MAPPED);
    CUdeviceptr device = new CUdeviceptr();
    JCudaDriver.cuMemHostGetDevicePointer(device, host, 0);
    address = Addresses.of(device);
    word = MemorySegment.ofAddress(Addresses.of(host)).reinterpret(Long.BYTES);
    set(0);
  }

  /** Where GPUs read it. */
  public long address() {
    return address;
  }

  /** Changes it, from any thread; GPUs see the change soon. Nothing happens once it is closed. */
  public synchronized void set(long value) {
    if (!closed) {
      WORD.setRelease(word, 0L, value);
    }
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      gpu.current();
      JCudaDriver.cuMemFreeHost(host);
    }
  }
}
