package dev.oriel.cuda.driver;

import java.time.Duration;

/** A recorded sequence of launches. Replaying it allocates nothing. */
public final class DriverGraph implements AutoCloseable {
  private final GraphCalls calls;
  private final ResourceStack owned = new ResourceStack();
  private final long executable;
  private final long start;
  private final long end;

  /**
   * Ends what {@link GraphCalls#begin} began and instantiates the graph; if that fails, nothing is
   * left.
   */
  DriverGraph(GraphCalls calls) {
    this.calls = calls;
    long graph = calls.end();
    try {
      try {
        long made = calls.instantiate(graph);
        owned.add(() -> calls.destroyExecutable(made));
        executable = made;
      } finally {
        calls.destroyGraph(graph);
      }
      start = event();
      end = event();
    } catch (RuntimeException e) {
      throw owned.closeSuppressing(e);
    }
  }

  private long event() {
    long event = calls.event();
    owned.add(() -> calls.destroyEvent(event));
    return event;
  }

  /** Records the work that {@code work} puts into the stream. */
  static DriverGraph of(GraphCalls calls, Runnable work) {
    calls.begin();
    try {
      work.run();
    } catch (RuntimeException e) {
      abandon(calls, e);
      throw e;
    }
    return new DriverGraph(calls);
  }

  private static void abandon(GraphCalls calls, RuntimeException cause) {
    try {
      calls.destroyGraph(calls.end());
    } catch (RuntimeException e) {
      cause.addSuppressed(e);
    }
  }

  /** Puts the sequence into its stream once more. */
  public void replay() {
    calls.mark(start);
    calls.launch(executable);
    calls.mark(end);
  }

  /** The time of the last replay on the GPU's own clock; waits for its end. */
  public Duration elapsed() {
    calls.synchronize();
    return Duration.ofNanos(Math.round(calls.between(start, end) * 1e6));
  }

  @Override
  public void close() {
    owned.close();
  }
}
