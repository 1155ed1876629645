package dev.oriel.sim.trace;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Which events a picture of limited size shows.
 *
 * <p>The events of the failure and everything that caused them are always in, even beyond the
 * limit. The rest of the room goes to what surrounds these on their own actors, and to the two ends
 * of the recording, nearest first.
 */
final class Excerpt {
  /** The ends of a failing recording get this much less than what surrounds its failure. */
  private static final int ENDS = 4;

  private final Recording recording;
  private final BitSet pinned;
  private final BitSet kept;
  private int room;

  Excerpt(Recording recording, int limit) {
    this.recording = recording;
    pinned = failing(recording);
    for (int i = pinned.length(); (i = pinned.previousSetBit(i - 1)) >= 0; ) {
      int cause = recording.events().get(i).cause();
      if (cause >= 0) {
        pinned.set(cause); // stands before its effect, so the walk still comes by
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
  static BitSet failing(Recording recording) {
    BitSet failing = new BitSet();
    recording.failure().map(Failure::events).orElse(List.of()).forEach(failing::set);
    return failing;
  }

  /** The events of the failure, and what caused them. */
  BitSet pinned() {
    return (BitSet) pinned.clone();
  }

  /** The events to show. */
  BitSet kept() {
    return (BitSet) kept.clone();
  }

  /** What is left out, as a sentence; empty if nothing is. */
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

  /** Every seed looks one event further on either side, in turn, until there is no room. */
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
