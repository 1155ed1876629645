package dev.oriel.ports.persistent;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;

/**
 * A stream of a {@link StepMachine}: calls run on the calling thread, and a graph is a list of
 * them.
 */
public final class StepStream implements CallStream {
  private final long id;
  private Optional<Graph> graph = Optional.empty();

  public StepStream(long id) {
    this.id = id;
  }

  @Override
  public long id() {
    return id;
  }

  @Override
  public void capture() {
    if (graph.isPresent()) {
      throw new IllegalStateException("stream is capturing: stream=%d; end it first".formatted(id));
    }
    graph = Optional.of(new Graph());
  }

  @Override
  public CallGraph captured() {
    CallGraph captured =
        graph.orElseThrow(() ->
            new IllegalStateException(
                "stream is not capturing: stream=%d; begin to capture".formatted(id)));
    graph = Optional.empty();
    return captured;
  }

  @Override
  public Optional<CallGraph> capturing() {
    return graph.map(CallGraph.class::cast);
  }

  private static final class Graph implements CallGraph {
    private final List<Call> calls = new ArrayList<>();
    private boolean destroyed;

    @Override
    public void add(Call call) {
      calls.add(call);
    }

    @Override
    public void replay(Duration deadline) throws TimeoutException {
      if (destroyed) {
        throw new IllegalStateException("graph is destroyed; capture anew");
      }
      for (Call call : calls) {
        call.make(deadline);
      }
    }

    @Override
    public boolean destroyed() {
      return destroyed;
    }

    @Override
    public void close() {
      destroyed = true;
      calls.clear();
    }
  }
}
