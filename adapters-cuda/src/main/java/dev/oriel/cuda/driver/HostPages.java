package dev.oriel.cuda.driver;

import dev.oriel.ports.MachineException;
import jcuda.CudaException;
import jcuda.Pointer;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.JCudaDriver;

/** Pages of this process as the driver maps them for GPUs. */
record HostPages(Gpu gpu) implements MappedPages.Driver {

  @Override
  public long map(long start, long bytes, int flags, String remedy) {
    gpu.current();
    Pointer host = Addresses.host(start);
    try {
      JCudaDriver.cuMemHostRegister(host, bytes, flags);
      return device(host);
    } catch (CudaException e) {
      throw new MachineException(
          "pages are not to be mapped for GPUs: gpu=%d, address=0x%x, bytes=%d, flags=%d, reason=%s; %s"
              .formatted(gpu.ordinal(), start, bytes, flags, e.getMessage(), remedy),
          e);
    }
  }

  /** Where GPUs find what is registered; it is not any more where they do not. */
  private static long device(Pointer host) {
    try {
      CUdeviceptr device = new CUdeviceptr();
      JCudaDriver.cuMemHostGetDevicePointer(device, host, 0);
      return Addresses.of(device);
    } catch (CudaException e) {
      JCudaDriver.cuMemHostUnregister(host);
      throw e;
    }
  }

  @Override
  public void unmap(long start) {
    gpu.current();
    JCudaDriver.cuMemHostUnregister(Addresses.host(start));
  }
}
