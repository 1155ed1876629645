package dev.oriel.cuda.driver;

import dev.oriel.ports.MachineException;
import java.util.Optional;
import jcuda.CudaException;
import jcuda.driver.CUevent;
import jcuda.driver.CUresult;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;

/** An ordered queue of work on one GPU. */
public final class Stream implements AutoCloseable {
  private static final int NON_BLOCKING = 1;

  private final Gpu gpu;
  private final CUstream stream;
  private final GraphCalls graphs;

  /** Whether it is somebody else's, who ends it. */
  private final boolean lent;

  /** Whether it may be a blocking one: the driver does not tell while it is captured. */
  private volatile boolean unknown;

  private volatile boolean closed;

  Stream(Gpu gpu) {
    this(gpu, new CUstream(), false);
    gpu.run("make stream", () -> JCudaDriver.cuStreamCreate(stream, NON_BLOCKING));
    gpu.prepared();
  }

  private Stream(Gpu gpu, CUstream stream, boolean lent) {
    this.gpu = gpu;
    this.stream = stream;
    this.graphs = new StreamCalls(gpu, this::open);
    this.lent = lent;
  }

  /**
   * A stream of that GPU that somebody else made, by its handle; it stays theirs.
   *
   * @throws IllegalArgumentException if it waits for the legacy stream, on which memory is copied:
   *     kernels in it that wait for peers would hold up the peers' copies. Of a stream that is
   *     being captured that is said by the first launch behind the capture
   */
  public static Stream lent(Gpu gpu, long handle) {
    Stream lent = new Stream(gpu, Addresses.into(new CUstream(), handle), true);
    lent.unknown = true;
    lent.requireNonBlocking();
    return lent;
  }

  /** The driver takes a handle for what it was once, and fails in any way behind its end. */
  private CUstream open() {
    if (closed) {
      throw new MachineException(
          "stream is closed: gpu=%d, stream=%d; make another".formatted(gpu.ordinal(), handle()));
    }
    return stream;
  }

  /** Asked while the stream is captured, the driver refuses and ends the capture. */
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

  /** Whether what is put into it is recorded; asked otherwise, the driver ends a capture. */
  public boolean isCapturing() {
    return Capturing.graph(gpu, Addresses.of(open())).isPresent();
  }

  /** Its handle, by which others know it. */
  public long handle() {
    return Addresses.of(stream);
  }

  /** Puts one node into the queue, or records it if the stream is capturing. */
  public void launch(Node node) {
    requireNonBlocking();
    gpu.current();
    try {
      switch (node) {
        case Launch kernel -> kernel.enqueue(Addresses.of(open()));
        case EngineCopy copy -> copy.enqueue(open());
      }
    } catch (CudaException e) {
      throw gpu.failed("copy", e);
    }
  }

  /** The same of chains side by side. */
  public void launch(Fork fork) {
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

  /** Whether everything in the queue is done; a failed kernel throws. */
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

  /** Records what {@code work} launches on this stream, to be replayed as one. */
  public Graph capture(Runnable work) {
    return Graph.of(graphs, work);
  }

  /** Begins to record what is launched; somebody ends it by {@link #captured}. */
  public void capture() {
    graphs.begin();
  }

  /** What was recorded since. */
  public Graph captured() {
    return new Graph(graphs);
  }

  /** Tells when the graph is gone that is being recorded, whoever does so; empty if none is. */
  public Optional<GraphEnd> capturing() {
    return Capturing.graph(gpu, Addresses.of(open())).map(graph -> new GraphEnd(gpu, graph));
  }

  @Override
  public void close() {
    if (!lent && !closed) {
      closed = true;
      gpu.giveBack("destroy stream", () -> JCudaDriver.cuStreamDestroy(stream));
    }
  }
}
