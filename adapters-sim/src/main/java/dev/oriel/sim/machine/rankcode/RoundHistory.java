package dev.oriel.sim.machine.rankcode;

import java.util.Arrays;

/**
 * The last steps of guided lanes, to find rounds in them. After a round, every lane is where it was
 * before.
 *
 * <p>A round makes no progress if all these conditions hold. Every agent that was enabled within it
 * took a step, so no unfair schedule is blamed. Every lane that took a step polled or waited in
 * vain, and read the newest value. No lane did what may have ended another lane's wait. A wait that
 * reads a value which was there before the round makes no progress.
 */
final class RoundHistory {
  /** The longest round that is recognised. */
  static final int LONGEST = 512;

  /** The kinds of steps. */
  enum RoundStepKind {
    /** A lane polls, or its wait times out. */
    LOOK,
    /** The same, but the lane did not read the newest value, or gave up what it could have had. */
    STALE,
    /** A lane's wait ends because another lane did something, now or before. */
    WAIT,
    /** A lane does something that may end another lane's wait. */
    SIGNAL,
    /** Anything else. */
    OTHER
  }

  private final int lanes;
  private final int words;
  private final int[] agents = new int[LONGEST];
  private final RoundStepKind[] of = new RoundStepKind[LONGEST];
  private final long[] stands = new long[LONGEST];
  private final int[] calls = new int[LONGEST];

  /** For each step: the agents that could have taken it, as bits. */
  private final long[] able;

  private final long[] could;
  private final long[] did;
  private final long[] looked;
  private final long[] served;
  private final long[] signalled;
  private long steps;

  /** The distance at which the last steps repeat; 0 if they do not. */
  private int period;

  private long same;

  /** For so many agents, the first of which are lanes. */
  RoundHistory(int agents, int lanes) {
    this.lanes = lanes;
    words = (agents + 63) >> 6;
    able = new long[LONGEST * words];
    could = new long[words];
    did = new long[words];
    looked = new long[words];
    served = new long[words];
    signalled = new long[words];
  }

  void clear() {
    steps = 0;
    period = 0;
    same = 0;
  }

  private static int at(long step) {
    return (int) (step % LONGEST);
  }

  /** Notes that one of those agents is about to take a step. */
  void before(long[] enabled) {
    System.arraycopy(enabled, 0, able, at(steps) * words, words);
  }

  /** Sets whether the agent could have taken the step, whatever is enabled. */
  void before(int agent, boolean may) {
    int word = at(steps) * words + (agent >> 6);
    able[word] = may ? able[word] | 1L << agent : able[word] & ~(1L << agent);
  }

  /**
   * Notes that the step was taken.
   *
   * @param where a digest of the positions of all lanes after it
   * @param ended how many calls had ended when it began
   */
  void after(int agent, RoundStepKind what, long where, int ended) {
    int here = at(steps);
    agents[here] = agent;
    of[here] = what;
    stands[here] = where;
    calls[here] = ended;
    if (period > 0 && alike(steps, steps - period)) {
      same++;
    } else {
      same = 0;
      period = 0;
      for (int p = 1; p < reach() && period == 0; p++) {
        period = alike(steps, steps - p) ? p : 0;
      }
    }
    steps++;
  }

  private int reach() {
    return (int) Math.min(steps + 1, LONGEST);
  }

  private boolean alike(long step, long other) {
    return stands[at(step)] == stands[at(other)] && agents[at(step)] == agents[at(other)];
  }

  /** How many rounds, each like the one before it, the last step completed; 0 if none. */
  long repeated() {
    return period > 0 && same >= period && same % period == 0 && round(period) == period
        ? same / period
        : 0;
  }

  /** Notes that the rounds up to here were not alike. */
  void differ() {
    same = 0;
  }

  /** How many calls had ended when the last of the repeated rounds began. */
  int callsBefore() {
    return calls[at(steps - period)];
  }

  /** The number of steps of a repeated round. */
  int period() {
    return period;
  }

  /**
   * The number of steps of the shortest round without progress that ends here and has at least
   * {@code least} steps; 0 if there is none.
   */
  int round(int least) {
    Arrays.fill(could, 0);
    Arrays.fill(did, 0);
    Arrays.fill(looked, 0);
    Arrays.fill(served, 0);
    Arrays.fill(signalled, 0);
    for (int back = 1; back < Math.min(steps, LONGEST); back++) {
      int step = at(steps - back);
      int agent = agents[step];
      long bit = 1L << agent;
      did[agent >> 6] |= bit;
      switch (of[step]) {
        case LOOK -> looked[agent >> 6] |= bit;
        case WAIT -> served[agent >> 6] |= bit;
        case SIGNAL -> signalled[agent >> 6] |= bit;
        case STALE, OTHER -> {
          // These steps are not counted.
        }
      }
      if (of[step] == RoundStepKind.STALE || servedByAnother()) {
        return 0;
      }
      for (int w = 0; w < words; w++) {
        could[w] |= able[step * words + w];
      }
      boolean there = stands[at(steps - 1 - back)] == stands[at(steps - 1)];
      if (back >= least && there && fair() && allLooked()) {
        return back;
      }
    }
    return 0;
  }

  /** Whether every agent that was enabled took a step. */
  private boolean fair() {
    for (int w = 0; w < words; w++) {
      if ((could[w] & ~did[w]) != 0) {
        return false;
      }
    }
    return true;
  }

  /** Whether a wait ended, and a lane other than its own may have caused that. */
  private boolean servedByAnother() {
    int signallers = 0;
    int waiters = 0;
    boolean others = false;
    for (int w = 0; w < words; w++) {
      signallers += Long.bitCount(signalled[w]);
      waiters += Long.bitCount(served[w]);
      others |= (signalled[w] & ~served[w]) != 0;
    }
    return waiters > 0 && signallers > 0 && (others || waiters > 1 || signallers > 1);
  }

  /** Whether every lane that took a step polled, and there is such a lane. */
  private boolean allLooked() {
    boolean any = false;
    for (int lane = 0; lane < lanes; lane++) {
      long bit = 1L << lane;
      boolean polls = (looked[lane >> 6] & bit) != 0;
      if (!polls && (did[lane >> 6] & bit) != 0) {
        return false;
      }
      any |= polls;
    }
    return any;
  }
}
