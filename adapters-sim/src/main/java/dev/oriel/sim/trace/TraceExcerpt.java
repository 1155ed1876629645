package dev.oriel.sim.trace;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Selects the events for a picture of limited size.
 *
 * <p>The events of the failure and all their causes are always included, even beyond the limit. The
 * remaining room goes to neighbours of these on their own actors, and to the two ends of the
 * recording, nearest first.
 */
final class TraceExcerpt {
  /**
   * The ends of a failing recording receive this factor less than the neighbours of its failure.
   */
  private static final int ENDS = 4;

  private final TraceRecording recording;
  private final BitSet pinned;
  private final BitSet kept;
  private int room;

  TraceExcerpt(TraceRecording recording, int limit) {
    this.recording = recording;
    pinned = failing(recording);
    for (int i = pinned.length(); (i = pinned.previousSetBit(i - 1)) >= 0; ) {
      int cause = recording.events().get(i).cause();
      if (cause >= 0) {
        pinned.set(cause); // precedes its effect, so the loop still reaches it
      }
    }
    kept = (BitSet) pinned.clone();
    if (recording.events().size() <= limit) {
      kept.set(0, recording.events().size());
    } else {
      room = limit - kept.cardinality();
      grow();
    }
  }

  /** The events that the failure names. */
  static BitSet failing(TraceRecording recording) {
    BitSet failing = new BitSet();
    recording.failure().map(TraceFailure::events).orElse(List.of()).forEach(failing::set);
    return failing;
  }

  /** The events of the failure, and their causes. */
  BitSet pinned() {
    return (BitSet) pinned.clone();
  }

  /** The events to show. */
  BitSet kept() {
    return (BitSet) kept.clone();
  }

  /** The omission as a sentence; empty if nothing is omitted. */
  String note() {
    int all = recording.events().size();
    int shown = kept.cardinality();
    if (shown == all) {
      return "";
    }
    String around =
        pinned.isEmpty() ? "" : "the events of the failure, their causes, what surrounds them, ";
    return "left out: "
        + (all - shown)
        + " of "
        + all
        + " events; shown are "
        + around
        + "the first and the last events";
  }

  /**
   * Each event of the failure adds its next neighbour on either side, in turn, until no room is
   * left.
   */
  private void grow() {
    int all = recording.events().size();
    int[] before = new int[all];
    int[] after = new int[all];
    neighbours(before, after);
    int[] up = pinned.stream().toArray();
    int[] down = up.clone();
    for (int round = 0; room > 0; round++) {
      for (int i = 0; i < up.length; i++) {
        up[i] = up[i] < 0 ? -1 : before[up[i]];
        down[i] = down[i] < 0 ? -1 : after[down[i]];
        add(up[i]);
        add(down[i]);
      }
      if (pinned.isEmpty() || round % ENDS == 0) {
        int d = pinned.isEmpty() ? round : round / ENDS;
        add(d);
        add(all - 1 - d);
      }
    }
  }

  private void add(int event) {
    if (event >= 0 && room > 0 && !kept.get(event)) {
      kept.set(event);
      room--;
    }
  }

  /** The event before and after each one on its actor, -1 for none. */
  private void neighbours(int[] before, int[] after) {
    int[] last = new int[recording.actors().size()];
    Arrays.fill(last, -1);
    Arrays.fill(after, -1);
    for (int i = 0; i < before.length; i++) {
      int actor = recording.events().get(i).actor();
      before[i] = last[actor];
      if (last[actor] >= 0) {
        after[last[actor]] = i;
      }
      last[actor] = i;
    }
  }
}
