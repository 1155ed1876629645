package dev.oriel.cuda.driver;

import jcuda.CudaException;
import jcuda.driver.CUevent;
import jcuda.driver.CUgraph;
import jcuda.driver.CUgraphExec;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;

/** Graphs as the driver makes them on one stream. */
record StreamCalls(Gpu gpu, CUstream stream) implements GraphCalls {
  private static final int CAPTURE_RELAXED = 2;

  /** One call of the driver. */
  private interface Work {
    void run();
  }

  private void call(String what, Work work) {
    gpu.current();
    try {
      work.run();
    } catch (CudaException e) {
      throw gpu.failed(what, e);
    }
  }

  @Override
  public void begin() {
    call("begin capture", () -> JCudaDriver.cuStreamBeginCapture(stream, CAPTURE_RELAXED));
  }

  @Override
  public long end() {
    CUgraph graph = new CUgraph();
    call("end capture", () -> JCudaDriver.cuStreamEndCapture(stream, graph));
    return Addresses.of(graph);
  }

  @Override
  public long instantiate(long graph) {
    CUgraphExec executable = new CUgraphExec();
    call(
        "instantiate graph",
        () -> JCudaDriver.cuGraphInstantiate(executable, Addresses.into(new CUgraph(), graph), 0));
    return Addresses.of(executable);
  }

  @Override
  public void destroyGraph(long graph) {
    call("destroy graph", () -> JCudaDriver.cuGraphDestroy(Addresses.into(new CUgraph(), graph)));
  }

  @Override
  public void destroyExecutable(long executable) {
    call("destroy graph", () -> JCudaDriver.cuGraphExecDestroy(executable(executable)));
  }

  @Override
  public void launch(long executable) {
    call("replay", () -> JCudaDriver.cuGraphLaunch(executable(executable), stream));
  }

  private static CUgraphExec executable(long address) {
    return Addresses.into(new CUgraphExec(), address);
  }

  @Override
  public long event() {
    CUevent event = new CUevent();
    call("make event", () -> JCudaDriver.cuEventCreate(event, 0));
    return Addresses.of(event);
  }

  @Override
  public void destroyEvent(long event) {
    call("destroy event", () -> JCudaDriver.cuEventDestroy(at(event)));
  }

  @Override
  public void mark(long event) {
    call("mark", () -> JCudaDriver.cuEventRecord(at(event), stream));
  }

  @Override
  public float between(long start, long end) {
    float[] millis = new float[1];
    call("measure", () -> JCudaDriver.cuEventElapsedTime(millis, at(start), at(end)));
    return millis[0];
  }

  private static CUevent at(long event) {
    return Addresses.into(new CUevent(), event);
  }

  @Override
  public void synchronize() {
    call("run", () -> JCudaDriver.cuStreamSynchronize(stream));
  }
}
