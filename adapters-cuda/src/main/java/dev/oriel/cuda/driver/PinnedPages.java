package dev.oriel.cuda.driver;

import jcuda.CudaException;
import jcuda.Pointer;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.JCudaDriver;

/** Memory of the host as the driver allocates it for GPUs. */
record PinnedPages(Gpu gpu) implements HostMemory.Driver {
  private static final int PORTABLE_AND_MAPPED = 1 | 2;

  @Override
  public long allocate(long bytes) {
    gpu.current();
    try {
      Pointer host = new Pointer();
      JCudaDriver.cuMemHostAlloc(host, bytes, PORTABLE_AND_MAPPED);
      gpu.allocated();
      return Addresses.of(host);
    } catch (CudaException e) {
      throw gpu.failed("allocate host bytes=" + bytes, e);
    }
  }

  @Override
  public long device(long host) {
    gpu.current();
    try {
      CUdeviceptr device = new CUdeviceptr();
      JCudaDriver.cuMemHostGetDevicePointer(device, Addresses.host(host), 0);
      return Addresses.of(device);
    } catch (CudaException e) {
      throw gpu.failed("map host memory", e);
    }
  }

  @Override
  public void free(long host) {
    gpu.current();
    JCudaDriver.cuMemFreeHost(Addresses.host(host));
  }
}
