package dev.oriel.cuda.persistent;

import dev.oriel.cuda.driver.DriverStream;
import dev.oriel.cuda.driver.Gpu;
import dev.oriel.cuda.driver.GraphEnd;
import dev.oriel.ports.persistent.CallGraph;
import dev.oriel.ports.persistent.CallStream;
import java.time.Duration;
import java.util.Optional;

/**
 * A stream of a GPU, where calls are kernels in order, or nodes of the graph that is being
 * captured.
 */
public final class GpuStream implements CallStream, AutoCloseable {
  private final long id;
  private final DriverStream stream;

  /** The capture by this object; a lender may capture the stream as well. */
  private Optional<GpuGraph> graph = Optional.empty();

  private GpuStream(long id, DriverStream stream) {
    this.id = id;
    this.stream = stream;
  }

  /** A new stream on that GPU; close it before the GPU. */
  public static GpuStream on(Gpu gpu, long id) {
    return new GpuStream(id, gpu.stream());
  }

  /**
   * A stream of the caller's on that GPU; it stays theirs, and open. While the caller captures it,
   * calls are recorded into the caller's graph.
   *
   * <p>While a call is recorded, ranks exchange data by copies on the legacy stream. The driver
   * forbids these while a blocking stream is captured, and during any capture in mode {@code
   * GLOBAL}. Capture in mode {@code RELAXED}; no other mode was tried.
   *
   * @param handle the {@code CUstream}, made with {@code CU_STREAM_NON_BLOCKING}
   * @throws IllegalArgumentException if it is a blocking one
   */
  public static GpuStream external(Gpu gpu, long handle) {
    return new GpuStream(handle, DriverStream.external(gpu, handle));
  }

  @Override
  public long id() {
    return id;
  }

  DriverStream stream() {
    return stream;
  }

  @Override
  public void capture() {
    if (graph.isPresent()) {
      throw new IllegalStateException("stream is capturing: stream=%d; end it first".formatted(id));
    }
    stream.capture();
    graph = Optional.of(new GpuGraph(this));
  }

  @Override
  public GpuGraph captured() {
    GpuGraph captured =
        graph.orElseThrow(() ->
            new IllegalStateException(
                "stream is not capturing: stream=%d; begin to capture".formatted(id)));
    graph = Optional.empty();
    try {
      captured.end(stream.captured());
    } catch (RuntimeException e) {
      // It will never be replayed, but requests stay as long as their graphs: close it.
      captured.close();
      throw e;
    }
    return captured;
  }

  @Override
  public Optional<CallGraph> capturing() {
    return graph.isPresent()
        ? graph.map(CallGraph.class::cast)
        : stream.capturing().map(CallerGraph::new);
  }

  /** The capture by this object, if any. */
  Optional<GpuGraph> own() {
    return graph;
  }

  /** Also ends a capture that this object still makes. */
  @Override
  public void close() {
    try {
      if (graph.isPresent()) {
        captured().close();
      }
    } finally {
      stream.close();
    }
  }

  /** A graph that the caller makes, and replays without a call to this object. */
  private record CallerGraph(GraphEnd end) implements CallGraph {
    @Override
    public void add(Call call) {
      // The kernel is in the graph, which is replayed elsewhere.
    }

    @Override
    public boolean fixed() {
      return true;
    }

    @Override
    public boolean foreign() {
      return true;
    }

    @Override
    public void replay(Duration deadline) {
      throw new IllegalStateException("graph is the caller's; replay it where it was captured");
    }

    @Override
    public boolean destroyed() {
      return end.reached();
    }

    @Override
    public void close() {
      throw new IllegalStateException("graph is the caller's; destroy it where it was captured");
    }
  }
}
