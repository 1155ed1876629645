package dev.oriel.cuda.driver;

import java.util.function.Supplier;
import jcuda.driver.CUevent;
import jcuda.driver.CUgraph;
import jcuda.driver.CUgraphExec;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;

/**
 * Graphs as the driver makes them on one stream.
 *
 * @param stream as long as it is open
 */
record StreamCalls(Gpu gpu, Supplier<CUstream> stream) implements GraphCalls {
  private static final int CAPTURE_RELAXED = 2;

  @Override
  public void begin() {
    gpu.run("begin capture", () -> JCudaDriver.cuStreamBeginCapture(stream.get(), CAPTURE_RELAXED));
  }

  @Override
  public long end() {
    return ResourceStack.making(made -> {
      CUgraph graph = new CUgraph();
      made.add(() -> destroyEnded(HandleAddresses.of(graph)));
      gpu.giveBack("end capture", () -> JCudaDriver.cuStreamEndCapture(stream.get(), graph));
      return HandleAddresses.of(graph);
    });
  }

  /** The capture may have ended although the call failed. */
  private void destroyEnded(long graph) {
    if (graph != 0) {
      destroyGraph(graph);
    }
  }

  @Override
  public long instantiate(long graph) {
    CUgraphExec executable = new CUgraphExec();
    gpu.run(
        "instantiate graph",
        () ->
            JCudaDriver.cuGraphInstantiate(
                executable, HandleAddresses.into(new CUgraph(), graph), 0));
    gpu.prepared();
    return HandleAddresses.of(executable);
  }

  @Override
  public void destroyGraph(long graph) {
    gpu.giveBack(
        "destroy graph",
        () -> JCudaDriver.cuGraphDestroy(HandleAddresses.into(new CUgraph(), graph)));
  }

  @Override
  public void destroyExecutable(long executable) {
    gpu.giveBack("destroy graph", () -> JCudaDriver.cuGraphExecDestroy(executable(executable)));
  }

  @Override
  public void launch(long executable) {
    gpu.run("replay", () -> JCudaDriver.cuGraphLaunch(executable(executable), stream.get()));
  }

  private static CUgraphExec executable(long address) {
    return HandleAddresses.into(new CUgraphExec(), address);
  }

  @Override
  public long event() {
    CUevent event = new CUevent();
    gpu.run("make event", () -> JCudaDriver.cuEventCreate(event, 0));
    gpu.prepared();
    return HandleAddresses.of(event);
  }

  @Override
  public void destroyEvent(long event) {
    gpu.giveBack("destroy event", () -> JCudaDriver.cuEventDestroy(at(event)));
  }

  @Override
  public void mark(long event) {
    gpu.run("mark", () -> JCudaDriver.cuEventRecord(at(event), stream.get()));
  }

  @Override
  public float between(long start, long end) {
    float[] millis = new float[1];
    gpu.run("measure", () -> JCudaDriver.cuEventElapsedTime(millis, at(start), at(end)));
    return millis[0];
  }

  private static CUevent at(long event) {
    return HandleAddresses.into(new CUevent(), event);
  }

  @Override
  public void synchronize() {
    gpu.run("run", () -> JCudaDriver.cuStreamSynchronize(stream.get()));
  }
}
