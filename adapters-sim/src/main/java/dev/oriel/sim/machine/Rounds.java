package dev.oriel.sim.machine;

import java.util.Arrays;

/**
 * The last steps of guided lanes, to find rounds in them: steps behind which everybody stands where
 * it stood before.
 *
 * <p>A round is one in which nobody gets anywhere only if whoever could go on within it did (so no
 * unfair schedule is blamed), if every lane that went on looked at something or waited in vain,
 * found the newest value, and no lane did what another one's wait may have ended by. A wait that
 * finds once more what has been there all along gets nobody anywhere.
 */
final class Rounds {
  /** The longest round that is known as one. */
  static final int LONGEST = 512;

  /** What a step was of. */
  enum Of {
    /** A lane that looks at what is there, or whose wait times out. */
    LOOK,
    /** The same, which did not find the newest, or gave up what it could have had. */
    STALE,
    /** A lane whose wait ends since another lane did something, now or before. */
    WAIT,
    /** A lane that does what may end another lane's wait. */
    TELL,
    /** Anything else. */
    OTHER
  }

  private final int lanes;
  private final int words;
  private final int[] agents = new int[LONGEST];
  private final Of[] of = new Of[LONGEST];
  private final long[] stands = new long[LONGEST];
  private final int[] calls = new int[LONGEST];

  /** For each step, who could have taken it, as bits. */
  private final long[] able;

  private final long[] could;
  private final long[] did;
  private final long[] looked;
  private final long[] served;
  private final long[] told;
  private long steps;

  /** So many of the last steps are each the same as the one that many before. */
  private int period;

  private long same;

  /** Of so many agents, the first of which are lanes. */
  Rounds(int agents, int lanes) {
    this.lanes = lanes;
    words = (agents + 63) >> 6;
    able = new long[LONGEST * words];
    could = new long[words];
    did = new long[words];
    looked = new long[words];
    served = new long[words];
    told = new long[words];
  }

  void clear() {
    steps = 0;
    period = 0;
    same = 0;
  }

  private static int at(long step) {
    return (int) (step % LONGEST);
  }

  /** A step is about to be taken by one of those agents. */
  void before(long[] enabled) {
    System.arraycopy(enabled, 0, able, at(steps) * words, words);
  }

  /** The agent could have taken the step, or not, whatever is enabled. */
  void before(int agent, boolean may) {
    int word = at(steps) * words + (agent >> 6);
    able[word] = may ? able[word] | 1L << agent : able[word] & ~(1L << agent);
  }

  /**
   * The step was taken.
   *
   * @param where where everybody stands behind it
   * @param ended how many calls had ended when it began
   */
  void after(int agent, Of what, long where, int ended) {
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

  /** How many rounds the last step ended that were each like the one before it; 0 if none. */
  long repeated() {
    return period > 0 && same >= period && same % period == 0 && round(period) == period
        ? same / period
        : 0;
  }

  /** The rounds up to here were not alike. */
  void differ() {
    same = 0;
  }

  /** How many calls had ended when the last of the rounds that are alike began. */
  int callsBefore() {
    return calls[at(steps - period)];
  }

  /** Of how many steps such a round is. */
  int period() {
    return period;
  }

  /**
   * Of how many steps the shortest round is that ends here and in which nobody gets anywhere, of
   * those that have at least so many; 0 if there is none.
   */
  int round(int least) {
    Arrays.fill(could, 0);
    Arrays.fill(did, 0);
    Arrays.fill(looked, 0);
    Arrays.fill(served, 0);
    Arrays.fill(told, 0);
    for (int back = 1; back < Math.min(steps, LONGEST); back++) {
      int step = at(steps - back);
      int agent = agents[step];
      long bit = 1L << agent;
      did[agent >> 6] |= bit;
      switch (of[step]) {
        case LOOK -> looked[agent >> 6] |= bit;
        case WAIT -> served[agent >> 6] |= bit;
        case TELL -> told[agent >> 6] |= bit;
        case STALE, OTHER -> {
          // Nothing that is counted.
        }
      }
      if (of[step] == Of.STALE || servedByAnother()) {
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

  /** Whoever could go on did. */
  private boolean fair() {
    for (int w = 0; w < words; w++) {
      if ((could[w] & ~did[w]) != 0) {
        return false;
      }
    }
    return true;
  }

  /** A wait was served, and a lane other than its own may have done that. */
  private boolean servedByAnother() {
    int tellers = 0;
    int waiters = 0;
    boolean others = false;
    for (int w = 0; w < words; w++) {
      tellers += Long.bitCount(told[w]);
      waiters += Long.bitCount(served[w]);
      others |= (told[w] & ~served[w]) != 0;
    }
    return waiters > 0 && tellers > 0 && (others || waiters > 1 || tellers > 1);
  }

  /** Every lane that went on looked at something, and there is one. */
  private boolean allLooked() {
    boolean any = false;
    for (int lane = 0; lane < lanes; lane++) {
      long bit = 1L << lane;
      boolean looks = (looked[lane >> 6] & bit) != 0;
      if (!looks && (did[lane >> 6] & bit) != 0) {
        return false;
      }
      any |= looks;
    }
    return any;
  }
}
