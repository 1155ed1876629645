package dev.oriel.sim.search;

import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.machine.finding.Finding;
import dev.oriel.sim.machine.fingerprint.Fingerprint;
import dev.oriel.sim.machine.step.StepFootprint;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Explores every execution, depth first, each state once. Fingerprints of 128 bits, which include
 * clocks, distinguish states.
 *
 * <p>At the level of synchronisation, steps whose outcome does not depend on when they are taken
 * are taken at once, in the order of the agents. Only the other steps are tried in every order.
 * After one of those was tried, it is in the sleep set of the branches that follow. It leaves the
 * sleep set once a step is taken whose order with it matters. At the full level every step is tried
 * in every order.
 */
final class SystematicSearch implements ExhaustiveSearch {
  /** Bytes of bookkeeping for one depth, without the sleep set. */
  private static final int DEPTH_BYTES = 200;

  /** States between two looks at the clock, which takes longer than a state. */
  private static final int ASK = 256;

  /** The part of the memory that versions of parts may take: the rest is for visited states. */
  private static final int VERSIONS = 2;

  private final Simulation simulation;
  private final boolean full;
  private final Budget budget;

  /** Receives the end of each execution; true continues the search. */
  private final Predicate<Optional<Finding>> end;

  /** Whether one state represents all that differ from it only in the names of ranks. */
  private boolean symmetric;

  /** Whether such renamings exist. */
  private boolean named;

  private long executions;
  private long steps;
  private @Nullable SearchLimit cut;
  private long work;

  /** Whether the time is over, and how many states were reached since that was last asked. */
  private BooleanSupplier over = () -> false;

  private int unasked;
  private double stackBytes;
  private long sharedBytes;
  private boolean inVersions;
  private int words;
  private VisitedStates seen;
  private final DecisionPath path = new DecisionPath();

  /** For each depth: the next enabled agent to try, and the decisions inside its step. */
  private int[] turn = new int[64];

  private int[] lengths = new int[64];

  /** For each depth: the number of the only enabled agent to try there; -1 to try all. */
  private int[] only = new int[64];

  private DecisionOdometer[] inside = new DecisionOdometer[64];

  /** For each depth, the sleep set: agents whose steps were already explored from there. */
  private long[][] asleep = new long[64][];

  private long[] renamed = {};

  /** The renamings under which a state is fingerprinted. */
  private int[] names = {};

  private long high;
  private long low;
  private final StepFootprint room = new StepFootprint();
  private final Fingerprint fingerprint = new Fingerprint();

  SystematicSearch(
      Simulation simulation, boolean full, Budget budget, Predicate<Optional<Finding>> end) {
    this.simulation = simulation;
    this.full = full;
    this.budget = budget;
    this.end = end;
    this.seen = new VisitedStates(budget.states());
  }

  /** From now on a state represents all that differ from it only in the names of ranks. */
  SystematicSearch symmetric() {
    symmetric = true;
    return this;
  }

  @Override
  public long executions() {
    return executions;
  }

  @Override
  public long steps() {
    return steps;
  }

  @Override
  public Optional<SearchLimit> cut() {
    return Optional.ofNullable(cut);
  }

  @Override
  public long states() {
    return seen.count();
  }

  /** The decisions that lead to the point at which the search stopped. */
  @Override
  public int[] path() {
    return path.toArray();
  }

  /** Explores all executions, until {@code end} stops it or a limit is reached. */
  @Override
  public void run() {
    if (full && !symmetric) {
      simulation.versions(budget.memory() / VERSIONS);
    }
    over = budget.time().begin();
    try {
      simulation.exploring(() -> {
        search();
        stackBytes = simulation.savedBytes() + DEPTH_BYTES + (double) Long.BYTES * words;
        sharedBytes = simulation.sharedBytes();
        inVersions = simulation.inVersions();
        return true;
      });
    } finally {
      simulation.whole();
    }
  }

  private void search() {
    executions = 0;
    steps = 0;
    cut = null;
    work = 0;
    seen = new VisitedStates(budget.states());
    path.cut(0);
    // This precedes the first step, because from then on the machine records the sources of
    // combined values.
    named = symmetric && simulation.renamings() > 0;
    names = new int[named ? simulation.renamings() + 1 : 0];
    simulation.restart();
    words = (simulation.agents() + 63) >> 6;
    int depth = 0;
    room(depth);
    Arrays.fill(asleep[0], 0);
    if (!arrive(depth)) {
      return;
    }
    while (depth >= 0) {
      int enabled = simulation.enabled();
      if (turn[depth] >= enabled || (only[depth] >= 0 && turn[depth] > only[depth])) {
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
      if (enabled > 1) {
        path.add(turn[depth]);
      }
      steps++;
      room(depth + 1);
      simulation.touched().clear();
      DecisionOdometer branch = inside[depth];
      branch.begin();
      Optional<Finding> found = simulation.step(agent, branch);
      branch.copyTo(path);
      // Where the search ends, the path keeps the decisions that led there.
      if (found.isPresent() || simulation.endless()) {
        executions++;
        if (simulation.endless()) {
          stopped(SearchLimit.ENDLESS);
        }
        if (!simulation.endless() && !end.test(found)) {
          return;
        }
        back(depth);
      } else {
        System.arraycopy(asleep[depth], 0, asleep[depth + 1], 0, words);
        if (!arrive(depth + 1)) {
          return;
        }
        if (turn[depth + 1] == NOT_NEW) {
          back(depth);
        } else {
          depth++;
        }
      }
    }
  }

  private static final int NOT_NEW = Integer.MAX_VALUE;

  private void back(int depth) {
    simulation.restore(depth);
    path.cut(lengths[depth]);
    next(depth);
  }

  /** Advances at this depth: to other decisions inside the same step, or to the next agent. */
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

  /** Removes agents from the sleep set whose steps do not commute with the step just taken. */
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

  /**
   * Whether the state is new. The sleep set is part of it, because it determines the steps still to
   * explore. With symmetry, the least fingerprint over the canonical renamings represents the
   * state.
   */
  private boolean isNew(int depth) {
    if (!named) {
      fingerprint.clear();
      simulation.digest(fingerprint);
      add(asleep[depth]);
      high = fingerprint.high();
      low = fingerprint.low();
      return seen.add(high, low);
    }
    high = Long.MAX_VALUE;
    low = Long.MAX_VALUE;
    int count = simulation.foremost(names);
    for (int i = 0; i < count; i++) {
      fingerprint.clear();
      simulation.digest(names[i], fingerprint);
      rename(names[i], asleep[depth]);
      add(renamed);
      least(fingerprint.high(), fingerprint.low());
    }
    return seen.add(high, low);
  }

  private void add(long[] agents) {
    for (int w = 0; w < words; w++) {
      fingerprint.add(agents[w]);
    }
  }

  private void least(long otherHigh, long otherLow) {
    if (otherHigh < high || (otherHigh == high && otherLow < low)) {
      high = otherHigh;
      low = otherLow;
    }
  }

  private void rename(int renaming, long[] agents) {
    renamed = renamed.length == words ? renamed : new long[words];
    Arrays.fill(renamed, 0);
    for (int w = 0; w < words; w++) {
      for (long left = agents[w]; left != 0; left &= left - 1) {
        int agent = simulation.renamed(renaming, (w << 6) + Long.numberOfTrailingZeros(left));
        renamed[agent >> 6] |= 1L << agent;
      }
    }
  }

  /**
   * Reaches a state: takes steps until a choice is open, then saves it if it is new. Returns
   * whether to continue.
   */
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
      if (agent < 0 || simulation.decides(agent)) {
        only[depth] = agent < 0 ? -1 : number(agent, enabled);
        break;
      }
      steps++;
      // A sleeping agent's step may no longer be open. Its next one is not the step that sleeps.
      asleep[depth][agent >> 6] &= ~(1L << agent);
      Optional<Finding> found = simulation.step(agent, SystematicSearch::none);
      if (simulation.endless() || steps > budget.steps() + arrived) {
        stopped(simulation.endless() ? SearchLimit.ENDLESS : SearchLimit.WORK);
        return true;
      }
      if (found.isPresent()) {
        executions++;
        return end.test(found);
      }
    }
    work += simulation.size();
    if (seen.full()) {
      stopped(SearchLimit.STATES);
      return true;
    }
    if (cut == SearchLimit.TIME || (++unasked % ASK == 0 && over.getAsBoolean())) {
      stopped(SearchLimit.TIME);
      return true;
    }
    if (depth >= budget.steps() || work > budget.work()) {
      stopped(SearchLimit.WORK);
      return true;
    }
    if (simulation.footprint(depth) + footprint(depth) > budget.memory()) {
      stopped(SearchLimit.MEMORY);
      return true;
    }
    wake(depth);
    if (isNew(depth)) {
      simulation.save(depth);
      lengths[depth] = path.length();
      turn[depth] = Math.max(0, only[depth]);
      inside[depth].reset();
    }
    return true;
  }

  private int number(int agent, int enabled) {
    int number = 0;
    while (number < enabled && simulation.enabledAt(number) != agent) {
      number++;
    }
    return number;
  }

  /** Bytes of the visited states' table, and of the bookkeeping of each depth besides its state. */
  private long footprint(int depth) {
    return seen.footprint() + (DEPTH_BYTES + (long) Long.BYTES * words) * depth;
  }

  /** Bytes of one state to which the search may backtrack, with its bookkeeping. */
  double stackBytes() {
    return stackBytes;
  }

  /** Bytes of the table of visited states for each of them. */
  double visitedBytes() {
    return (double) seen.bytes() / Math.max(1, seen.count());
  }

  /** Bytes of that table and of all smaller ones that it replaced. */
  long visitedMade() {
    return seen.made();
  }

  /** Whether states were versions of their parts up to the end. */
  boolean inVersions() {
    return inVersions;
  }

  /** Bytes that all these states share. */
  long sharedBytes() {
    return sharedBytes;
  }

  private void stopped(SearchLimit by) {
    if (cut == null) {
      cut = by;
    }
  }

  /** Where the order of the open options has no effect, the first one suffices. */
  private static int none(int options) {
    return 0;
  }

  /**
   * The first enabled agent whose step may be taken at once; -1 if all steps are open. An agent
   * that decides whether launches go on comes last. So no rank is more launches ahead than its
   * waits allow, and states of later launches repeat.
   */
  private int settled(int enabled) {
    int decides = -1;
    for (int i = 0; i < enabled; i++) {
      int agent = simulation.enabledAt(i);
      if (!simulation.open(agent)) {
        if (!simulation.decides(agent)) {
          return agent;
        }
        decides = decides < 0 ? agent : decides;
      }
    }
    return decides;
  }

  private void room(int depth) {
    if (depth >= turn.length) {
      turn = Arrays.copyOf(turn, 2 * depth);
      lengths = Arrays.copyOf(lengths, 2 * depth);
      only = Arrays.copyOf(only, 2 * depth);
      inside = Arrays.copyOf(inside, 2 * depth);
      asleep = Arrays.copyOf(asleep, 2 * depth);
    }
    if (inside[depth] == null) {
      inside[depth] = new DecisionOdometer();
    }
    if (asleep[depth] == null || asleep[depth].length != words) {
      asleep[depth] = new long[words];
    }
  }
}
