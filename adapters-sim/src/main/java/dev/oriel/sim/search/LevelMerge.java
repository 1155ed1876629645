package dev.oriel.sim.search;

import dev.oriel.ports.MachineException;
import dev.oriel.sim.levels.LevelCount;
import dev.oriel.sim.levels.LevelMessage;
import dev.oriel.sim.levels.LevelPart;
import dev.oriel.sim.levels.NodeBlock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Merges the messages to one part: its next level has the states not seen before, each with its
 * least path in that level. So neither the number of parts nor the order of messages changes a
 * path.
 */
public final class LevelMerge {
  private LevelMerge() {}

  /** A message of which the nodes before {@code at} were taken. */
  private static final class Cursor {
    final NodeBlock nodes;
    int at;

    Cursor(NodeBlock nodes) {
      this.nodes = nodes;
    }
  }

  /**
   * The part one level later.
   *
   * @param expected how many messages there must be: a lost one is no empty one
   */
  public static LevelPart next(LevelPart before, List<LevelMessage> messages, int expected) {
    if (messages.size() != expected) {
      throw MachineException.lacking(
          "messages of workers were lost: messages=%d, expected=%d; run again to go on from the last kept level"
              .formatted(messages.size(), expected));
    }
    // Those that come first have the least paths.
    PriorityQueue<Cursor> least = new PriorityQueue<>(byPath());
    List<Cursor> cursors = new ArrayList<>();
    LevelCount count = LevelCount.NONE;
    for (LevelMessage message : messages) {
      count = count.and(message.count());
      if (message.nodes().count() > 0) {
        cursors.add(new Cursor(message.nodes()));
      }
    }
    least.addAll(cursors);
    VisitedStates fresh = new VisitedStates(Long.MAX_VALUE);
    NodeBlock.Builder frontier = new NodeBlock.Builder();
    while (!least.isEmpty()) {
      Cursor cursor = least.remove();
      long high = cursor.nodes.high(cursor.at);
      long low = cursor.nodes.low(cursor.at);
      if (!VisitedStates.among(before.seen(), high, low) && fresh.add(high, low)) {
        frontier.add(cursor.nodes, cursor.at, false);
      }
      if (++cursor.at < cursor.nodes.count()) {
        least.add(cursor);
      }
    }
    return new LevelPart(
        VisitedStates.merged(before.seen(), fresh.ascending()),
        frontier.build(),
        count.and(LevelCount.of(fresh.count())));
  }

  private static Comparator<Cursor> byPath() {
    return (one, other) -> one.nodes.precedes(one.at, other.nodes, other.at) ? -1 : 1;
  }
}
