package dev.oriel.cuda.driver;

import dev.oriel.ports.MachineException;
import java.util.Optional;
import jcuda.CudaException;
import jcuda.driver.CUevent;
import jcuda.driver.CUresult;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;

/** An ordered queue of work on one GPU. */
public final class DriverStream implements AutoCloseable {
  private static final int NON_BLOCKING = 1;

  private final Gpu gpu;
  private final CUstream stream;
  private final GraphCalls graphs;

  /** Whether another component owns and destroys the stream. */
  private final boolean external;

  /** Whether the stream may be a blocking one: the driver does not report it during a capture. */
  private volatile boolean unknown;

  private volatile boolean closed;

  DriverStream(Gpu gpu) {
    this(gpu, new CUstream(), false);
    gpu.run("make stream", () -> JCudaDriver.cuStreamCreate(stream, NON_BLOCKING));
    gpu.prepared();
  }

  private DriverStream(Gpu gpu, CUstream stream, boolean external) {
    this.gpu = gpu;
    this.stream = stream;
    this.graphs = new StreamCalls(gpu, this::open);
    this.external = external;
  }

  /**
   * A stream of that GPU that another component made, by its handle; it stays theirs.
   *
   * @throws IllegalArgumentException if it is a blocking stream. Such a stream waits for the legacy
   *     stream, on which memory is copied, and its kernels that wait for peers would hold up the
   *     peers' copies. For a stream that is being captured, the first launch after the capture
   *     throws this
   */
  public static DriverStream external(Gpu gpu, long handle) {
    DriverStream external =
        new DriverStream(gpu, HandleAddresses.into(new CUstream(), handle), true);
    external.unknown = true;
    external.requireNonBlocking();
    return external;
  }

  /**
   * Refuses a closed stream: the driver may reuse a destroyed stream's handle, or fail in any way.
   */
  private CUstream open() {
    if (closed) {
      throw new MachineException(
          "stream is closed: gpu=%d, stream=%d; make another".formatted(gpu.ordinal(), handle()));
    }
    return stream;
  }

  /**
   * Checks the stream outside captures only: during one the driver refuses the query and ends the
   * capture.
   */
  private void requireNonBlocking() {
    if (unknown && !isCapturing()) {
      int[] flags = new int[1];
      gpu.run("look at stream=" + handle(), () -> JCudaDriver.cuStreamGetFlags(stream, flags));
      if ((flags[0] & NON_BLOCKING) == 0) {
        throw new IllegalArgumentException(
            "stream is blocking: stream=%d, flags=%d; make it with CU_STREAM_NON_BLOCKING"
                .formatted(handle(), flags[0]));
      }
      unknown = false;
    }
  }

  /**
   * Whether work that is put into it is recorded. This query, unlike others, does not end a
   * capture.
   */
  public boolean isCapturing() {
    return CaptureQuery.graph(gpu, HandleAddresses.of(open())).isPresent();
  }

  /** Its handle, by which other components name it. */
  public long handle() {
    return HandleAddresses.of(stream);
  }

  /** Enqueues one node, or records it if the stream is capturing. */
  public void launch(StreamNode node) {
    requireNonBlocking();
    gpu.current();
    try {
      switch (node) {
        case KernelLaunch kernel -> kernel.enqueue(HandleAddresses.of(open()));
        case EngineCopy copy -> copy.enqueue(open());
      }
    } catch (CudaException e) {
      throw gpu.failed("copy", e);
    }
  }

  /** Enqueues concurrent chains. */
  public void launch(StreamFork fork) {
    fork.enqueue(this);
  }

  void mark(CUevent event) {
    try {
      JCudaDriver.cuEventRecord(event, open());
    } catch (CudaException e) {
      throw gpu.failed("mark", e);
    }
  }

  void follow(CUevent event) {
    try {
      JCudaDriver.cuStreamWaitEvent(open(), event, 0);
    } catch (CudaException e) {
      throw gpu.failed("follow", e);
    }
  }

  /** Whether all work in the queue is done; a failed kernel throws. */
  public boolean idle() {
    gpu.current();
    try {
      return JCudaDriver.cuStreamQuery(open()) == CUresult.CUDA_SUCCESS;
    } catch (CudaException e) {
      if (String.valueOf(e.getMessage()).contains("NOT_READY")) {
        return false;
      }
      throw gpu.failed("run", e);
    }
  }

  public void synchronize() {
    gpu.run("run", () -> JCudaDriver.cuStreamSynchronize(open()));
  }

  /** Records the launches of {@code work} on this stream, to be replayed as one. */
  public DriverGraph capture(Runnable work) {
    return DriverGraph.of(graphs, work);
  }

  /** Begins to record launches; {@link #captured} ends it. */
  public void capture() {
    graphs.begin();
  }

  /** Ends the recording; the graph of all launches since {@link #capture()}. */
  public DriverGraph captured() {
    return new DriverGraph(graphs);
  }

  /**
   * Watches for the end of the graph that is being recorded, by any component; empty if none is.
   */
  public Optional<GraphEnd> capturing() {
    return CaptureQuery.graph(gpu, HandleAddresses.of(open()))
        .map(graph -> new GraphEnd(gpu, graph));
  }

  @Override
  public void close() {
    if (!external && !closed) {
      closed = true;
      gpu.giveBack("destroy stream", () -> JCudaDriver.cuStreamDestroy(stream));
    }
  }
}
