package dev.oriel.cuda.driver;

import java.time.Duration;
import jcuda.CudaException;
import jcuda.driver.CUevent;
import jcuda.driver.CUgraph;
import jcuda.driver.CUgraphExec;
import jcuda.driver.CUresult;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;

/** An ordered queue of work on one GPU. */
public final class Stream implements AutoCloseable {
  private static final int NON_BLOCKING = 1;
  private static final int CAPTURE_RELAXED = 2;

  private final Gpu gpu;
  private final CUstream stream = new CUstream();

  Stream(Gpu gpu) {
    this.gpu = gpu;
    JCudaDriver.cuStreamCreate(stream, NON_BLOCKING);
  }

  /** Puts one node into the queue, or records it if the stream is capturing. */
  public void launch(Node node) {
    gpu.current();
    try {
      switch (node) {
        case Launch kernel -> kernel.enqueue(Addresses.of(stream));
        case EngineCopy copy -> copy.enqueue(stream);
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
      JCudaDriver.cuEventRecord(event, stream);
    } catch (CudaException e) {
      throw gpu.failed("mark", e);
    }
  }

  void follow(CUevent event) {
    try {
      JCudaDriver.cuStreamWaitEvent(stream, event, 0);
    } catch (CudaException e) {
      throw gpu.failed("follow", e);
    }
  }

  /** Whether everything in the queue is done; a failed kernel throws. */
  public boolean idle() {
    gpu.current();
    try {
      return JCudaDriver.cuStreamQuery(stream) == CUresult.CUDA_SUCCESS;
    } catch (CudaException e) {
      if (String.valueOf(e.getMessage()).contains("NOT_READY")) {
        return false;
      }
      throw gpu.failed("run", e);
    }
  }

  public void synchronize() {
    gpu.current();
    try {
      JCudaDriver.cuStreamSynchronize(stream);
    } catch (CudaException e) {
      throw gpu.failed("run", e);
    }
  }

  /** Records what {@code work} launches on this stream, to be replayed as one. */
  public Graph capture(Runnable work) {
    gpu.current();
    try {
      JCudaDriver.cuStreamBeginCapture(stream, CAPTURE_RELAXED);
      CUgraph graph = new CUgraph();
      try {
        work.run();
      } finally {
        gpu.current();
        JCudaDriver.cuStreamEndCapture(stream, graph);
      }
      CUgraphExec executable = new CUgraphExec();
      JCudaDriver.cuGraphInstantiate(executable, graph, 0);
      JCudaDriver.cuGraphDestroy(graph);
      return new Graph(this, executable);
    } catch (CudaException e) {
      throw gpu.failed("capture", e);
    }
  }

  Event record() {
    gpu.current();
    Event event = new Event();
    JCudaDriver.cuEventRecord(event.event, stream);
    return event;
  }

  @Override
  public void close() {
    gpu.current();
    JCudaDriver.cuStreamDestroy(stream);
  }

  /** A recorded sequence of launches. */
  public static final class Graph implements AutoCloseable {
    private final Stream stream;
    private final CUgraphExec executable;

    private Graph(Stream stream, CUgraphExec executable) {
      this.stream = stream;
      this.executable = executable;
    }

    /** Replays the sequence and measures it on the GPU's own clock. */
    public Timing replay() {
      stream.gpu.current();
      try {
        Event start = stream.record();
        JCudaDriver.cuGraphLaunch(executable, stream.stream);
        return new Timing(stream, start, stream.record());
      } catch (CudaException e) {
        throw stream.gpu.failed("replay", e);
      }
    }

    @Override
    public void close() {
      stream.gpu.current();
      JCudaDriver.cuGraphExecDestroy(executable);
    }
  }

  /** The time between two points of a stream. */
  public static final class Timing {
    private final Stream stream;
    private final Event start;
    private final Event end;

    private Timing(Stream stream, Event start, Event end) {
      this.stream = stream;
      this.start = start;
      this.end = end;
    }

    /** Waits for the end; usable once. */
    public Duration elapsed() {
      stream.synchronize();
      float[] millis = new float[1];
      JCudaDriver.cuEventElapsedTime(millis, start.event, end.event);
      start.close();
      end.close();
      return Duration.ofNanos(Math.round(millis[0] * 1e6));
    }
  }

  static final class Event implements AutoCloseable {
    private final CUevent event = new CUevent();

    private Event() {
      JCudaDriver.cuEventCreate(event, 0);
    }

    @Override
    public void close() {
      JCudaDriver.cuEventDestroy(event);
    }
  }
}
