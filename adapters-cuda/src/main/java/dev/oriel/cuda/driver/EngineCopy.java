package dev.oriel.cuda.driver;

import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;

/** A copy between GPUs' memory, or within one, by a copy engine without a kernel. */
public final class EngineCopy implements StreamNode {
  private final CUdeviceptr to;
  private final CUdeviceptr from;
  private final long bytes;

  /**
   * A copy, not yet enqueued.
   *
   * @param to where the destination is mapped on the GPU whose stream copies; {@code from} likewise
   * @param bytes at least one
   */
  public EngineCopy(long to, long from, long bytes) {
    this.to = HandleAddresses.device(to);
    this.from = HandleAddresses.device(from);
    this.bytes = bytes;
  }

  void enqueue(CUstream stream) {
    JCudaDriver.cuMemcpyDtoDAsync(to, from, bytes, stream);
  }
}
