package dev.oriel.ports.contract;

import dev.oriel.ports.FabricListener;
import dev.oriel.ports.Outcome;
import java.util.ArrayList;
import java.util.List;

/** Records the events of a machine. */
final class Recorder implements FabricListener {
  /** A launch that was posted, or one that was completed. */
  record Event(int rank, String program, List<Outcome> outcome, long nanos) {
    boolean posted() {
      return outcome.isEmpty();
    }
  }

  private final List<Event> events = new ArrayList<>();

  @Override
  public synchronized void posted(int rank, String program, long nanos) {
    events.add(new Event(rank, program, List.of(), nanos));
  }

  @Override
  public synchronized void completed(int rank, String program, Outcome outcome, long nanos) {
    events.add(new Event(rank, program, List.of(outcome), nanos));
  }

  synchronized List<Event> of(int rank) {
    return events.stream().filter(event -> event.rank == rank).toList();
  }
}
