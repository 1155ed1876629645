package dev.oriel.sim.machine.layout;

import dev.oriel.ports.MachineException;
import dev.oriel.sim.machine.rows.FlatRows;
import java.util.Map;
import java.util.TreeMap;

/**
 * How much room each growing part of a state has. Rooms only grow, so a search that starts over
 * ends: what it needs is bounded by what its program does in the launches asked for.
 */
public final class Sizes {
  private static final int MAX = 1 << 26;

  /** Starting over costs more than room. */
  private static final int GROWTH = 4;

  /** Narrower rows are faster one behind the other; wider ones take too much room. */
  private static final int FLAT = 1024;

  /** Components of loose requests that a world may have, in all its queues. */
  private static final int LOOSE = 8192;

  /** So many each queue may have in any world that has the room. */
  private static final int LOOSE_OF_QUEUE = 16;

  /** Up to how many components clocks lie {@link FlatRows flat}. */
  public final int flat;

  private final int loose;
  private final int looseOfQueue;

  private final Map<String, Integer> rooms = new TreeMap<>();

  public Sizes() {
    this(FLAT);
  }

  public Sizes(int flat) {
    this(flat, LOOSE, LOOSE_OF_QUEUE);
  }

  /** No queue has more components of loose requests than {@code looseOfQueue}. */
  public static Sizes ofLoose(int looseOfQueue) {
    return new Sizes(FLAT, 0, looseOfQueue);
  }

  private Sizes(int flat, int loose, int looseOfQueue) {
    this.flat = flat;
    this.loose = loose;
    this.looseOfQueue = looseOfQueue;
  }

  /**
   * How many loose requests, of so many components, each of the queues may tell apart in that room.
   */
  int maxLoose(int queues, int components, int room) {
    int most = Math.max(looseOfQueue, loose / queues);
    return Math.max(1, Math.min(most, room / (queues * components)));
  }

  /** The room of that part. */
  public int of(String part, int initial) {
    return rooms.computeIfAbsent(part, p -> initial);
  }

  /** Makes room for {@code needed} and ends the execution; it is to start over. */
  public Grow grow(String part, int needed) {
    int room = rooms.getOrDefault(part, 1);
    while (room < needed) {
      room *= GROWTH;
    }
    if (room > MAX) {
      throw MachineException.lacking(
          "state too large: part=%s, needed=%d, max=%d; choose smaller parameters or fewer launches"
              .formatted(part, needed, MAX));
    }
    rooms.put(part, room);
    return new Grow();
  }
}
