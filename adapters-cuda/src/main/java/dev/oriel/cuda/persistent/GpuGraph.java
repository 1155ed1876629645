package dev.oriel.cuda.persistent;

import dev.oriel.cuda.driver.DriverGraph;
import dev.oriel.ports.persistent.CallGraph;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Calls recorded as one graph of the driver. */
public final class GpuGraph implements CallGraph {
  private final GpuStream stream;

  /** One call for each request: it begins and ends once, however often the graph makes it. */
  private final Map<Object, Call> calls = new LinkedHashMap<>();

  private final Set<GpuCalls.RequestEnd> ends = new LinkedHashSet<>();
  private @Nullable DriverGraph graph;
  private boolean destroyed;

  GpuGraph(GpuStream stream) {
    this.stream = stream;
  }

  /** Sets the recorded graph. */
  void end(DriverGraph recorded) {
    graph = recorded;
  }

  /** Adds a request whose kernel is in the graph. */
  void add(GpuCalls.RequestEnd end) {
    ends.add(end);
  }

  @Override
  public void add(Call call) {
    calls.putIfAbsent(call.request(), call);
  }

  /**
   * True: its kernels hold the places of the peers' requests, and thus the ranks agree while it is
   * recorded.
   */
  @Override
  public boolean fixed() {
    return true;
  }

  /**
   * {@inheritDoc}
   *
   * <p>A call gives up after waiting for a minute, or at the deadline if that is sooner. A graph
   * without calls is put into its stream, and not waited for.
   */
  @Override
  public void replay(Duration deadline) throws TimeoutException {
    requireThere();
    List<Call> begun = new ArrayList<>();
    try {
      for (Call call : calls.values()) {
        call.begin(deadline);
        begun.add(call);
      }
      Objects.requireNonNull(graph, "captured").replay();
      if (!ends.isEmpty()) {
        GpuCalls.await(List.copyOf(ends), stream, deadline);
      }
    } catch (TimeoutException | RuntimeException e) {
      begun.forEach(call -> call.fail(String.valueOf(e.getMessage())));
      throw e;
    }
    begun.forEach(Call::end);
  }

  /** The time of the last replay on the GPU's own clock. */
  public Duration elapsed() {
    requireThere();
    return Objects.requireNonNull(graph, "captured").elapsed();
  }

  private void requireThere() {
    if (destroyed) {
      throw new IllegalStateException("graph is destroyed; capture anew");
    }
  }

  @Override
  public boolean destroyed() {
    return destroyed;
  }

  @Override
  public void close() {
    if (!destroyed) {
      destroyed = true;
      calls.clear();
      ends.clear();
      if (graph != null) {
        graph.close();
      }
    }
  }
}
