package dev.oriel.cuda;

import dev.oriel.cuda.driver.GraphEnd;
import dev.oriel.cuda.driver.Stream;
import dev.oriel.cuda.process.Polling;
import dev.oriel.ports.Deadline;
import dev.oriel.ports.MachineException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Streams and graphs of the caller's that hold launches of an instance. */
final class Borrowed {
  /** By handle; each holds a launch that nobody has settled. */
  private final Map<Long, Stream> busy = new TreeMap<>();

  private final Set<GraphEnd> graphs = new HashSet<>();

  /** Puts a rank's launch into that stream, or the graph that it records. */
  void launch(LocalRank local, long handle) {
    graphs.removeIf(GraphEnd::reached);
    Stream stream = Stream.lent(local.gpu(), handle);
    Optional<GraphEnd> graph = stream.capturing();
    // Before the launch, of which a part may be there when the driver refuses the rest.
    graph.ifPresentOrElse(graphs::add, () -> busy.put(handle, stream));
    stream.launch(local.work());
  }

  /** Whether a launch may be in that stream. */
  boolean mayHold(long handle) {
    return busy.containsKey(handle) || !graphs.isEmpty();
  }

  /** Nothing is left in that stream. */
  void settled(long handle) {
    busy.remove(handle);
  }

  /** Refuses a launch beside one that runs: both would take themselves for the same. */
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
   * Refuses to go on where launches may still come.
   *
   * @param until the driver may tell by then that a graph is gone
   */
  void requireNone(Deadline until) {
    for (int look = 0; !gone() && !until.passed(); look++) {
      Polling.pause(look);
    }
    if (!busy.isEmpty() || !graphs.isEmpty()) {
      throw new MachineException(
          "launches are in the caller's streams: unsettled streams=%s, graphs=%d; settle the streams and destroy the graphs first"
              .formatted(busy.keySet(), graphs.size()));
    }
  }

  /** Whether all graphs are. */
  private boolean gone() {
    graphs.removeIf(GraphEnd::reached);
    return graphs.isEmpty();
  }
}
