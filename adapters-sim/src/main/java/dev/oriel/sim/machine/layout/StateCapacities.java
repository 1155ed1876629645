package dev.oriel.sim.machine.layout;

import dev.oriel.ports.MachineException;
import dev.oriel.sim.machine.finding.StateCapacityException;
import dev.oriel.sim.machine.rows.FlatClockTable;
import java.util.Map;
import java.util.TreeMap;

/**
 * The room of each growing part of a state. Rooms only grow. So a search that starts over ends: its
 * needs are bounded by what its program does in the launches asked for.
 */
public final class StateCapacities {
  private static final int MAX = 1 << 26;

  /** Rooms grow by this factor, since starting over costs more than room. */
  private static final int GROWTH = 4;

  /** Narrower clocks are faster one after another; wider ones would take too much room. */
  private static final int FLAT = 1024;

  /** Components of unordered requests that a world may have, over all its queues. */
  private static final int UNORDERED = 8192;

  /** Components of unordered requests that each queue may have in any world with that room. */
  private static final int UNORDERED_OF_QUEUE = 16;

  /** The number of components up to which clocks are stored {@link FlatClockTable flat}. */
  public final int flat;

  private final int unordered;
  private final int unorderedOfQueue;

  private final Map<String, Integer> rooms = new TreeMap<>();

  public StateCapacities() {
    this(FLAT);
  }

  public StateCapacities(int flat) {
    this(flat, UNORDERED, UNORDERED_OF_QUEUE);
  }

  /**
   * Sizes with at most {@code unorderedOfQueue} components of unordered requests for each queue.
   */
  public static StateCapacities ofUnordered(int unorderedOfQueue) {
    return new StateCapacities(FLAT, 0, unorderedOfQueue);
  }

  private StateCapacities(int flat, int unordered, int unorderedOfQueue) {
    this.flat = flat;
    this.unordered = unordered;
    this.unorderedOfQueue = unorderedOfQueue;
  }

  /** Sizes with at least those rooms. */
  public static StateCapacities of(Map<String, Integer> rooms) {
    StateCapacities sizes = new StateCapacities();
    sizes.rooms.putAll(rooms);
    return sizes;
  }

  /** The rooms by part. */
  public Map<String, Integer> rooms() {
    return new TreeMap<>(rooms);
  }

  /** The same rooms, which grow apart from these. */
  public StateCapacities copy() {
    StateCapacities copy = new StateCapacities(flat, unordered, unorderedOfQueue);
    copy.rooms.putAll(rooms);
    return copy;
  }

  /**
   * How many unordered requests, of so many components, each queue may distinguish in that room.
   */
  int maxUnordered(int queues, int components, int room) {
    int most = Math.max(unorderedOfQueue, unordered / queues);
    return Math.max(1, Math.min(most, room / (queues * components)));
  }

  /** The room of that part. */
  public int of(String part, int initial) {
    return rooms.computeIfAbsent(part, p -> initial);
  }

  /**
   * Makes room for {@code needed}. The returned exception ends the execution, which must start
   * over.
   */
  public StateCapacityException grow(String part, int needed) {
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
    return new StateCapacityException();
  }
}
