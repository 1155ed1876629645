package dev.oriel.sim.trace;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Assigns actors to the columns of a table of limited width. Every lane has a column, other actors
 * if they have events. If they do not all fit, those of the failure and its causes have priority,
 * and the rest share the last column.
 */
final class ActorColumns {
  /** In a narrower column an operation is not recognisable. */
  static final int NARROWEST = 18;

  static final int WIDEST = 56;

  private final List<Integer> actors = new ArrayList<>();
  private final int[] columnOf;
  private final int width;
  private final int others;

  ActorColumns(TraceRecording recording, BitSet pinned, int room) {
    int size = recording.actors().size();
    BitSet wanted = new BitSet(size);
    for (int actor = 0; actor < size; actor++) {
      wanted.set(actor, recording.actors().get(actor).role() == ActorRole.LANE);
    }
    recording.events().stream()
        .filter(event -> !isBoundary(recording, event))
        .forEach(event -> wanted.set(event.actor()));
    Set<Integer> inOrder = new LinkedHashSet<>();
    pinned.stream()
        .map(event -> recording.events().get(event).actor())
        .filter(wanted::get)
        .forEach(inOrder::add);
    wanted.stream().forEach(inOrder::add);
    int fit = Math.max(2, room / (NARROWEST + 1));
    boolean all = inOrder.size() <= fit;
    inOrder.stream().limit(all ? fit : fit - 1L).sorted().forEach(actors::add);
    others = inOrder.size() - actors.size();
    columnOf = new int[size];
    Arrays.fill(columnOf, actors.size());
    for (int column = 0; column < actors.size(); column++) {
      columnOf[actors.get(column)] = column;
    }
    width = Math.min(WIDEST, Math.max(NARROWEST, room / Math.max(1, count()) - 1));
  }

  /** Whether the event is a row of its own across all columns: the boundary of a launch. */
  static boolean isBoundary(TraceRecording recording, TraceEvent event) {
    return event.kind() == TraceEventKind.BEGIN
        && recording.actor(event).role() == ActorRole.CALLER;
  }

  /** The actors that have a column of their own, in the recording's order. */
  List<Integer> actors() {
    return List.copyOf(actors);
  }

  /** The number of actors that share the last column. */
  int others() {
    return others;
  }

  /** The number of columns, including the shared one. */
  int count() {
    return actors.size() + (others > 0 ? 1 : 0);
  }

  /** The column of an actor. */
  int of(int actor) {
    return columnOf[actor];
  }

  /** Whether a column is the shared one. */
  boolean shared(int column) {
    return column == actors.size();
  }

  /** Characters of a column, without the space before it. */
  int width() {
    return width;
  }
}
