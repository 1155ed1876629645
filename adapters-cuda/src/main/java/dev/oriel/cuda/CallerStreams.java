package dev.oriel.cuda;

import dev.oriel.cuda.driver.DriverStream;
import dev.oriel.cuda.driver.GraphEnd;
import dev.oriel.cuda.process.PollingWaitStrategy;
import dev.oriel.ports.Deadline;
import dev.oriel.ports.MachineException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The caller's streams and graphs that hold launches of an instance. */
final class CallerStreams {
  /** By handle; each holds a launch that is not settled yet. */
  private final Map<Long, DriverStream> busy = new TreeMap<>();

  private final Set<GraphEnd> graphs = new HashSet<>();

  /** Puts a rank's launch into that stream, or into the graph that the stream records. */
  void launch(LocalRank local, long handle) {
    graphs.removeIf(GraphEnd::reached);
    DriverStream stream = DriverStream.external(local.gpu(), handle);
    Optional<GraphEnd> graph = stream.capturing();
    // Noted before the launch: a driver that refuses a launch may have enqueued a part of it.
    graph.ifPresentOrElse(graphs::add, () -> busy.put(handle, stream));
    stream.launch(local.work());
  }

  /** Whether a launch may be in that stream. */
  boolean mayHold(long handle) {
    return busy.containsKey(handle) || !graphs.isEmpty();
  }

  /** Notes that nothing of the instance is left in that stream. */
  void settled(long handle) {
    busy.remove(handle);
  }

  /** Refuses a launch while another runs: both would run with the same epoch. */
  void requireIdle() {
    List<Long> running =
        busy.entrySet().stream().filter(e -> !e.getValue().idle()).map(Map.Entry::getKey).toList();
    if (!running.isEmpty()) {
      throw new MachineException(
          "launches are under way in the caller's streams: streams=%s; settle them first"
              .formatted(running));
    }
  }

  /**
   * Refuses to close while launches are in streams or may still come from graphs.
   *
   * @param until how long to wait for the driver to report that the graphs are gone
   */
  void requireNone(Deadline until) {
    for (int look = 0; !gone() && !until.passed(); look++) {
      PollingWaitStrategy.pause(look);
    }
    if (!busy.isEmpty() || !graphs.isEmpty()) {
      throw new MachineException(
          "launches are in the caller's streams: unsettled streams=%s, graphs=%d; settle the streams and destroy the graphs first"
              .formatted(busy.keySet(), graphs.size()));
    }
  }

  /** Whether all graphs are gone. */
  private boolean gone() {
    graphs.removeIf(GraphEnd::reached);
    return graphs.isEmpty();
  }
}
