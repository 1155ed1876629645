package dev.oriel.sim.search;

import dev.oriel.sim.machine.Finding;
import dev.oriel.sim.machine.Footprint;
import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.replay.Choices;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Every execution, depth first, each state once. States are told apart by 128-bit fingerprints that
 * include clocks.
 *
 * <p>At the level of synchronisation, steps whose outcome does not depend on when they are taken
 * are taken at once, first come first served; only the others are tried in every order. At the full
 * level every step is. At the level of synchronisation, a step that was tried before another one
 * sleeps behind that one until something was done whose order with it matters.
 */
final class Systematic {
  private static final long HIGH = 0x5DEECE66DL;
  private static final long LOW = 0xB5026F5AA96619E9L;

  private final Simulation simulation;
  private final boolean full;
  private final long maxStates;
  private final long maxDepth;
  private final long maxWork;

  /** What is to happen with the end of each execution: whether the search goes on. */
  private final Predicate<Optional<Finding>> end;

  long executions;
  long steps;
  boolean cut;
  private long work;
  private int words;
  private Seen seen;
  private final Path path = new Path();

  /** For each depth: the next agent of the open ones to try, and the decisions inside its step. */
  private int[] turn = new int[64];

  private int[] lengths = new int[64];
  private Odometer[] inside = new Odometer[64];

  /** For each depth: agents whose steps need not be taken from here, since they were elsewhere. */
  private long[][] asleep = new long[64][];

  private final Footprint room = new Footprint();

  Systematic(
      Simulation simulation,
      boolean full,
      long maxStates,
      long maxDepth,
      long maxWork,
      Predicate<Optional<Finding>> end) {
    this.simulation = simulation;
    this.full = full;
    this.maxStates = maxStates;
    this.maxDepth = maxDepth;
    this.maxWork = maxWork;
    this.end = end;
    this.seen = new Seen(maxStates);
  }

  long states() {
    return seen.count();
  }

  /** The decisions that lead to where the search stopped. */
  int[] path() {
    return path.toArray();
  }

  /**
   * Goes through all executions, or until {@code end} says that it is enough, or a limit is hit.
   */
  void run() {
    simulation.exploring(() -> {
      search();
      return true;
    });
  }

  private void search() {
    executions = 0;
    steps = 0;
    cut = false;
    work = 0;
    seen = new Seen(maxStates);
    path.cut(0);
    simulation.restart();
    words = simulation.agents() + 63 >> 6;
    int depth = 0;
    room(depth);
    Arrays.fill(asleep[0], 0);
    if (!arrive(depth)) {
      return;
    }
    while (depth >= 0) {
      if (turn[depth] >= simulation.enabled()) {
        depth--;
        if (depth >= 0) {
          simulation.restore(depth);
          path.cut(lengths[depth]);
          next(depth);
        }
        continue;
      }
      int agent = simulation.enabledAt(turn[depth]);
      if (inside[depth].fresh() && isSet(asleep[depth], agent)) {
        turn[depth]++;
        continue;
      }
      path.add(turn[depth]);
      steps++;
      room(depth + 1);
      simulation.touched().clear();
      Odometer branch = inside[depth];
      branch.begin();
      Optional<Finding> found = simulation.step(agent, branch);
      branch.copyTo(path);
      boolean goOn;
      if (found.isPresent() || simulation.endless()) {
        executions++;
        cut |= simulation.endless();
        goOn = simulation.endless() || end.test(found);
        if (goOn) {
          back(depth);
        }
      } else {
        System.arraycopy(asleep[depth], 0, asleep[depth + 1], 0, words);
        goOn = arrive(depth + 1);
        if (goOn && turn[depth + 1] == NOT_NEW) {
          back(depth);
        } else {
          depth++;
        }
      }
      if (!goOn) {
        // The path stays what it is: the decisions that lead to what was found.
        return;
      }
    }
  }

  private static final int NOT_NEW = Integer.MAX_VALUE;

  private void back(int depth) {
    simulation.restore(depth);
    path.cut(lengths[depth]);
    next(depth);
  }

  /** The next way from this depth: other decisions inside the same step, or the next agent. */
  private void next(int depth) {
    if (!inside[depth].advance()) {
      if (!full) {
        int agent = simulation.enabledAt(turn[depth]);
        asleep[depth][agent >> 6] |= 1L << agent;
      }
      turn[depth]++;
      inside[depth].reset();
    }
  }

  /** Who slept wakes up once the order of its step and of what was done matters. */
  private void wake(int depth) {
    for (int w = 0; w < words; w++) {
      for (long left = asleep[depth][w]; left != 0; left &= left - 1) {
        int agent = (w << 6) + Long.numberOfTrailingZeros(left);
        if (!simulation.commutes(agent, simulation.touched(), room)) {
          asleep[depth][w] &= ~(1L << agent);
        }
      }
    }
  }

  private static boolean isSet(long[] set, int agent) {
    return (set[agent >> 6] & 1L << agent) != 0;
  }

  /** Asleep agents are part of what tells two states apart: what is left to do differs. */
  private long fingerprint(int depth, long seed) {
    long hash = simulation.fingerprint(seed);
    for (int w = 0; w < words; w++) {
      hash = hash * 0x9E3779B97F4A7C15L + asleep[depth][w];
    }
    return hash;
  }

  /** Comes to a state: goes on to where a choice is open, and notes it. Whether to go on at all. */
  private boolean arrive(int depth) {
    room(depth);
    turn[depth] = NOT_NEW;
    long arrived = steps;
    while (true) {
      int enabled = simulation.enabled();
      if (enabled == 0) {
        if (simulation.goesOn()) {
          continue;
        }
        executions++;
        return end.test(simulation.end());
      }
      int agent = full ? -1 : settled(enabled);
      if (agent < 0) {
        break;
      }
      steps++;
      Optional<Finding> found = simulation.step(agent, Systematic::none);
      if (simulation.endless() || steps > maxDepth + arrived) {
        cut = true;
        return true;
      }
      if (found.isPresent()) {
        executions++;
        return end.test(found);
      }
    }
    work += simulation.size();
    if (depth >= maxDepth || seen.full() || work > maxWork) {
      cut = true;
      return true;
    }
    wake(depth);
    if (seen.add(fingerprint(depth, HIGH), fingerprint(depth, LOW))) {
      simulation.save(depth);
      lengths[depth] = path.length();
      turn[depth] = 0;
      inside[depth].reset();
    }
    return true;
  }

  /** Where the order of what is left open changes nothing, the first will do. */
  private static int none(int options) {
    return 0;
  }

  /** The first enabled agent whose step may be taken at once; -1 if all leave something open. */
  private int settled(int enabled) {
    for (int i = 0; i < enabled; i++) {
      int agent = simulation.enabledAt(i);
      if (!simulation.open(agent)) {
        return agent;
      }
    }
    return -1;
  }

  private void room(int depth) {
    if (depth >= turn.length) {
      turn = Arrays.copyOf(turn, 2 * depth);
      lengths = Arrays.copyOf(lengths, 2 * depth);
      inside = Arrays.copyOf(inside, 2 * depth);
      asleep = Arrays.copyOf(asleep, 2 * depth);
    }
    if (inside[depth] == null) {
      inside[depth] = new Odometer();
    }
    if (asleep[depth] == null || asleep[depth].length != words) {
      asleep[depth] = new long[words];
    }
  }

  /** The decisions inside one step, tried in order. */
  private static final class Odometer implements Choices {
    private int[] taken = new int[4];
    private int[] options = new int[4];
    private int length;
    private int at;

    void reset() {
      length = 0;
      at = 0;
    }

    void begin() {
      at = 0;
    }

    /** Whether no decision was taken yet. */
    boolean fresh() {
      return length == 0;
    }

    @Override
    public int choose(int count) {
      if (count == 1) {
        return 0;
      }
      if (at == length) {
        if (length == taken.length) {
          taken = Arrays.copyOf(taken, 2 * length);
          options = Arrays.copyOf(options, 2 * length);
        }
        taken[length] = 0;
        options[length++] = count;
      }
      return taken[at++];
    }

    /** Goes to the next decisions; false when all were taken. */
    boolean advance() {
      while (length > 0) {
        if (++taken[length - 1] < options[length - 1]) {
          return true;
        }
        length--;
      }
      return false;
    }

    void copyTo(Path path) {
      for (int i = 0; i < at; i++) {
        path.add(taken[i]);
      }
    }
  }
}
