package dev.oriel.sim.time;

import java.util.Arrays;

/**
 * The lanes of each rank that still run. A rank launches again once all its lanes have ended and
 * their stores have arrived. Only the program synchronises ranks.
 */
final class RankLaunches {
  private final VirtualTimeline timeline;
  private final LaneTable agents;
  private final long cost;
  private final int codes;
  private final int[] launched;

  /**
   * For each rank and lane of the form, the instances that still run, and the lanes that wait for
   * them.
   */
  private final int[] running;

  private final int[] joining;
  private final long[] joined;
  private final int[] alive;
  private final long[] rankEnd;
  private final long[] end;
  private int unfinished;

  RankLaunches(VirtualTimeline timeline, int codes, int count, long cost) {
    this.timeline = timeline;
    this.agents = timeline.agents;
    this.cost = cost;
    this.codes = codes;
    int world = agents.first.length - 1;
    launched = new int[world];
    alive = new int[world];
    rankEnd = new long[world];
    running = new int[world * codes];
    joining = new int[world * codes];
    joined = new long[world * codes];
    Arrays.fill(joining, PolledWords.NONE);
    end = new long[count];
    unfinished = world;
  }

  void start() {
    for (int rank = 0; rank < launched.length; rank++) {
      launch(rank);
    }
  }

  /** Whether every rank has ended its last launch. */
  boolean done() {
    return unfinished == 0;
  }

  /** The time at which the last rank ended that launch. */
  long endOf(int launch) {
    return end[launch];
  }

  private void launch(int rank) {
    while (launched[rank] < end.length) {
      launched[rank]++;
      int from = agents.first[rank];
      int to = agents.first[rank + 1];
      long time = rankEnd[rank] + cost;
      if (from == to) {
        finish(rank, time);
        continue;
      }
      alive[rank] = to - from;
      for (int lane = from; lane < to; lane++) {
        running[rank * codes + agents.code[lane]]++;
        agents.start(lane, time);
        timeline.resume(lane);
      }
      return;
    }
    unfinished--;
  }

  private void finish(int rank, long time) {
    rankEnd[rank] = Math.max(rankEnd[rank], time);
    int launch = launched[rank] - 1;
    end[launch] = Math.max(end[launch], rankEnd[rank]);
  }

  /** Ends the lane's part in this launch. */
  void end(int lane) {
    int rank = agents.rank[lane];
    int of = rank * codes + agents.code[lane];
    long time = Math.max(agents.clock[lane], agents.pending[lane]);
    agents.ended[lane] = true;
    agents.pending[lane] = 0;
    finish(rank, time);
    joined[of] = Math.max(joined[of], time);
    if (--running[of] == 0) {
      int waiter = joining[of];
      joining[of] = PolledWords.NONE;
      while (waiter != PolledWords.NONE) {
        int other = agents.next[waiter];
        agents.clock[waiter] = Math.max(agents.clock[waiter], joined[of]);
        timeline.resume(waiter);
        waiter = other;
      }
    }
    if (--alive[rank] == 0) {
      launch(rank);
    }
  }

  /**
   * Whether all instances of that lane of the same rank have ended; else the lane waits for them.
   */
  boolean ended(int lane, int code) {
    int of = agents.rank[lane] * codes + code;
    if (running[of] == 0) {
      agents.clock[lane] = Math.max(agents.clock[lane], joined[of]);
      return true;
    }
    agents.next[lane] = joining[of];
    joining[of] = lane;
    return false;
  }
}
