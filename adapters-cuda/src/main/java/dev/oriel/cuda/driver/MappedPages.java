package dev.oriel.cuda.driver;

import dev.oriel.ports.MachineException;
import java.util.TreeMap;
import jcuda.CudaException;
import jcuda.Pointer;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.JCudaDriver;

/**
 * Pages of this process that somebody else made, as GPUs reach them: memory, and registers of
 * network interfaces. A page is mapped once, however many things in it are asked for.
 *
 * <p>Registers: never run, for no machine of ours has an interface.
 */
public final class MappedPages implements AutoCloseable {
  private static final long PAGE = 4096;
  private static final int PORTABLE_AND_MAPPED = 1 | 2;
  private static final int DEVICE_MEMORY = 4;

  private record Mapped(long end, long shift, Pointer host) {}

  private final Gpu gpu;
  private final TreeMap<Long, Mapped> pages = new TreeMap<>();

  public MappedPages(Gpu gpu) {
    this.gpu = gpu;
  }

  /**
   * Where GPUs find memory of this process.
   *
   * @throws MachineException if the driver does not map it
   */
  public long memory(long address, long bytes) {
    return mapped(address, bytes, PORTABLE_AND_MAPPED, "unmap it elsewhere first");
  }

  /** The same for a register. */
  public long register(long address, long bytes) {
    return mapped(
        address,
        bytes,
        PORTABLE_AND_MAPPED | DEVICE_MEMORY,
        "let the driver map registers (module option NVreg_RegistryDwords=\"PeerMappingOverride=1\"), or hand requests to a proxy (--network verbs)");
  }

  private long mapped(long address, long bytes, int flags, String remedy) {
    long start = Math.floorDiv(address, PAGE) * PAGE;
    long end = Math.ceilDiv(address + bytes, PAGE) * PAGE;
    var before = pages.floorEntry(start);
    if (before == null || before.getValue().end() < end) {
      pages.put(start, map(start, end, flags, remedy));
    }
    return address + pages.floorEntry(start).getValue().shift();
  }

  private Mapped map(long start, long end, int flags, String remedy) {
    gpu.current();
    Pointer host = Addresses.host(start);
    try {
      JCudaDriver.cuMemHostRegister(host, end - start, flags);
      CUdeviceptr device = new CUdeviceptr();
      JCudaDriver.cuMemHostGetDevicePointer(device, host, 0);
      return new Mapped(end, Addresses.of(device) - start, host);
    } catch (CudaException e) {
      throw new MachineException(
          "pages are not to be mapped for GPUs: gpu=%d, address=0x%x, bytes=%d, flags=%d, reason=%s; %s"
              .formatted(gpu.ordinal(), start, end - start, flags, e.getMessage(), remedy),
          e);
    }
  }

  @Override
  public void close() {
    if (!pages.isEmpty()) {
      gpu.current();
    }
    pages.values().forEach(page -> JCudaDriver.cuMemHostUnregister(page.host()));
    pages.clear();
  }
}
