package dev.oriel.cuda;

import dev.oriel.cuda.driver.GraphEnd;
import dev.oriel.cuda.driver.Stream;
import dev.oriel.cuda.process.Polling;
import dev.oriel.ports.Deadline;
import dev.oriel.ports.MachineException;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;

/** Streams and graphs of the caller's that hold launches of an instance. */
final class Borrowed {
  private final Set<Long> busy = new TreeSet<>();
  private final Set<GraphEnd> graphs = new HashSet<>();

  /** Puts a rank's launch into that stream, or the graph that it records. */
  void launch(LocalRank local, long handle) {
    Stream stream = Stream.lent(local.gpu(), handle);
    stream.capturing().ifPresentOrElse(graphs::add, () -> busy.add(handle));
    stream.launch(local.work());
  }

  /** Nothing is left in that stream. */
  void settled(long handle) {
    busy.remove(handle);
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
              .formatted(busy, graphs.size()));
    }
  }

  /** Whether all graphs are. */
  private boolean gone() {
    graphs.removeIf(GraphEnd::reached);
    return graphs.isEmpty();
  }
}
