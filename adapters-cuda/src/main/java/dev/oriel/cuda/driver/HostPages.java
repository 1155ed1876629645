package dev.oriel.cuda.driver;

import dev.oriel.ports.MachineException;
import jcuda.Pointer;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.JCudaDriver;

/** Pages of this process as the driver maps them for GPUs. */
record HostPages(Gpu gpu) implements MappedPages.Driver {

  @Override
  public long map(long start, long bytes, int flags, String remedy) {
    Pointer host = HandleAddresses.host(start);
    try {
      return ResourceStack.making(made -> {
        gpu.run("register", () -> JCudaDriver.cuMemHostRegister(host, bytes, flags));
        made.add(() -> unmap(start));
        CUdeviceptr device = new CUdeviceptr();
        gpu.run("map", () -> JCudaDriver.cuMemHostGetDevicePointer(device, host, 0));
        return HandleAddresses.of(device);
      });
    } catch (MachineException e) {
      throw new MachineException(
          "pages are not to be mapped for GPUs: gpu=%d, address=0x%x, bytes=%d, flags=%d, reason=%s; %s"
              .formatted(gpu.ordinal(), start, bytes, flags, e.getMessage(), remedy),
          e);
    }
  }

  @Override
  public void unmap(long start) {
    gpu.giveBack("unregister", () -> JCudaDriver.cuMemHostUnregister(HandleAddresses.host(start)));
  }
}
