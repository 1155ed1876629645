package dev.oriel.cuda.driver;

import jcuda.Pointer;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.JCudaDriver;

/** Memory of the host as the driver allocates it for GPUs. */
record PinnedPages(Gpu gpu) implements PinnedHostMemory.Driver {
  private static final int PORTABLE_AND_MAPPED = 1 | 2;

  @Override
  public long allocate(long bytes) {
    Pointer host = new Pointer();
    gpu.run(
        "allocate host bytes=" + bytes,
        () -> JCudaDriver.cuMemHostAlloc(host, bytes, PORTABLE_AND_MAPPED));
    gpu.prepared();
    return HandleAddresses.of(host);
  }

  @Override
  public long device(long host) {
    CUdeviceptr device = new CUdeviceptr();
    gpu.run(
        "map host memory",
        () -> JCudaDriver.cuMemHostGetDevicePointer(device, HandleAddresses.host(host), 0));
    return HandleAddresses.of(device);
  }

  @Override
  public void free(long host) {
    gpu.giveBack("free host memory", () -> JCudaDriver.cuMemFreeHost(HandleAddresses.host(host)));
  }
}
