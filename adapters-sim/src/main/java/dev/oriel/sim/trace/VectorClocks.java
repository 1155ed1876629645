package dev.oriel.sim.trace;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * Vector clocks of the shown events of a recording: the events that happened before each one, by
 * its actor's order and by causes. Events must be requested in the recording's order.
 *
 * <p>Only shown events count. An actor's own component therefore increases by one at each shown
 * event, even if others between them are omitted. Order that passes through an omitted event is
 * lost.
 */
final class VectorClocks {
  private final TraceRecording recording;
  private final BitSet causes = new BitSet();
  private final Map<Integer, int[]> ofCauses = new HashMap<>();
  private final int[][] now;

  VectorClocks(TraceRecording recording, BitSet kept) {
    this.recording = recording;
    int actors = recording.actors().size();
    now = new int[actors][actors];
    kept.stream().map(i -> recording.events().get(i).cause()).forEach(this::cause);
  }

  private void cause(int event) {
    if (event >= 0) {
      causes.set(event);
    }
  }

  /** The clock of the next shown event, one component for each actor; the next call changes it. */
  int[] next(int index) {
    TraceEvent event = recording.events().get(index);
    int[] clock = now[event.actor()];
    int[] known = ofCauses.get(event.cause());
    if (known != null) {
      for (int i = 0; i < clock.length; i++) {
        clock[i] = Math.max(clock[i], known[i]);
      }
    }
    clock[event.actor()]++;
    if (causes.get(index)) {
      ofCauses.put(index, clock.clone());
    }
    return clock;
  }
}
