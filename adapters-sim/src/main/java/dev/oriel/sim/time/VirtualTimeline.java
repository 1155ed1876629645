package dev.oriel.sim.time;

import java.util.Arrays;

/**
 * Virtual time: future events, and the words that change with them.
 *
 * <p>Time never decreases. A lane runs ahead of it through steps that no other lane observes.
 * Before a step that others observe, it must call {@link #early}.
 */
final class VirtualTimeline {
  /** No event is left. */
  static final int OVER = -2;

  private static final int LANE = 0;
  private static final int ARRIVAL = 1;

  final LaneTable agents;
  final PolledWords cells;
  private final EventQueue queue = new EventQueue();
  private final boolean[] summed;
  private long now;

  /** Words in flight: cell and value; the complement of the cell where the value is added. */
  private int[] arrivingCell = new int[256];

  private long[] arrivingValue = new long[256];

  /** Free places, of words that have arrived. */
  private int[] unused = new int[256];

  private int unusedCount;
  private int arriving;

  /** {@code summed} marks the signals whose sums over all rows are awaited. */
  VirtualTimeline(LaneTable agents, PolledWords cells, boolean[] summed) {
    this.agents = agents;
    this.cells = cells;
    this.summed = summed;
  }

  long now() {
    return now;
  }

  long events() {
    return queue.added();
  }

  /**
   * Whether an event precedes the lane's own time. Then the lane is called again at its time and
   * must not continue now. Other events of that very time were added before.
   */
  boolean early(int lane) {
    long own = agents.clock[lane];
    if (own <= now) {
      return false;
    }
    if (queue.earliest() <= own) {
      resume(lane);
      return true;
    }
    now = own;
    return false;
  }

  /** Calls the lane at its own time. */
  void resume(int lane) {
    queue.add(agents.clock[lane], lane << 1 | LANE);
  }

  /** Schedules the arrival of a word in the cell. */
  void arrive(long time, int cell, long value, boolean adds) {
    int place = unusedCount > 0 ? unused[--unusedCount] : arriving++;
    if (place == arrivingCell.length) {
      arrivingCell = Arrays.copyOf(arrivingCell, 2 * place);
      arrivingValue = Arrays.copyOf(arrivingValue, 2 * place);
      unused = Arrays.copyOf(unused, 2 * place);
    }
    arrivingCell[place] = adds ? ~cell : cell;
    arrivingValue[place] = value;
    queue.add(time, place << 1 | ARRIVAL);
  }

  /** Makes the lane wait until the cell changes. */
  void await(int lane, int cell) {
    agents.next[lane] = cells.waiting(cell);
    cells.waiting(cell, lane);
  }

  /** Processes one event. Returns the lane to run now, -1 if there is none, or {@link #OVER}. */
  int next() {
    if (queue.isEmpty()) {
      return OVER;
    }
    now = queue.earliest();
    int what = queue.remove();
    return (what & 1) == LANE ? what >> 1 : arrived(what >> 1);
  }

  private int arrived(int place) {
    int cell = arrivingCell[place];
    boolean adds = cell < 0;
    cell = adds ? ~cell : cell;
    long before = cells.word(cell);
    long after = adds ? before + arrivingValue[place] : arrivingValue[place];
    unused[unusedCount++] = place;
    cells.word(cell, after);
    int signal = cells.signal(cell);
    if (signal != PolledWords.NONE && summed[signal]) {
      int sum = cells.sum(cell);
      cells.word(sum, cells.word(sum) + after - before);
      wakeAll(sum);
    }
    int lane = cells.waiting(cell);
    if (lane == PolledWords.NONE || agents.next[lane] != PolledWords.NONE) {
      wakeAll(cell);
      return -1;
    }
    cells.waiting(cell, PolledWords.NONE);
    agents.clock[lane] = Math.max(agents.clock[lane], now);
    return lane;
  }

  /**
   * An event of its own calls each lane: a lane that ran at once might advance time past the
   * others.
   */
  private void wakeAll(int cell) {
    int lane = cells.waiting(cell);
    cells.waiting(cell, PolledWords.NONE);
    while (lane != PolledWords.NONE) {
      int other = agents.next[lane];
      agents.clock[lane] = Math.max(agents.clock[lane], now);
      resume(lane);
      lane = other;
    }
  }
}
