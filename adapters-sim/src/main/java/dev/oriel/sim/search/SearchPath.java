package dev.oriel.sim.search;

import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.machine.finding.Finding;
import dev.oriel.sim.machine.fingerprint.Fingerprint;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The steps from the first state to the one that a search of every order of every step is in. From
 * each state on the way, the search takes the steps of its enabled agents in order, each with every
 * decision inside it. What becomes of the states that it reaches is up to the search.
 *
 * <p>The states on the path up to {@link #kept} are saved, and belong to the first decisions of the
 * path. So a path that begins with the same decisions is reached from the last state of both.
 */
final class SearchPath {
  /** What a step leads to. */
  enum Arrival {
    /** A state in which agents are enabled. */
    STATE,
    /** The end of an execution without a violation. */
    END,
    /** A violation, which ended the execution. */
    FOUND,
    /** The step did not end. */
    ENDLESS
  }

  private final Simulation simulation;
  private final Fingerprint fingerprint = new Fingerprint();
  private final DecisionPath decisions = new DecisionPath();

  /** For each depth: the enabled agent to try, the one after the last, and the path to there. */
  private int[] turn = new int[64];

  private int[] ends = new int[64];
  private int[] lengths = new int[64];
  private DecisionOdometer[] inside = new DecisionOdometer[64];

  private boolean begun;

  /** The greatest depth whose saved state is on the path. */
  private int kept;

  private long executions;
  private long steps;
  private @Nullable Finding found;

  SearchPath(Simulation simulation) {
    this.simulation = simulation;
  }

  Simulation simulation() {
    return simulation;
  }

  /** Executions that completed. */
  long executions() {
    return executions;
  }

  /** Steps, without those that only repeat a path. */
  long steps() {
    return steps;
  }

  /** The last violation, if any. */
  @Nullable Finding found() {
    return found;
  }

  /** The decisions in the steps to the current state. */
  DecisionPath decisions() {
    return decisions;
  }

  /** The decisions in the steps to the state of that depth. */
  int[] decisionsTo(int depth) {
    return decisions.toArray(lengths[depth]);
  }

  /** Returns to the first state. */
  Arrival first() {
    begin();
    return arrival();
  }

  /** Forgets all states, and what the simulation recalls of steps. */
  void forget() {
    begun = false;
  }

  private void begin() {
    if (begun) {
      back(0);
      return;
    }
    simulation.restart();
    decisions.cut(0);
    begun = true;
    keep(0);
  }

  /** Repeats the steps to the state of that depth to which the decisions lead, as far as needed. */
  void reach(int[] wanted, int depth) {
    if (!begun) {
      begin();
    }
    int from = Math.min(kept, depth);
    int same = decisions.same(wanted);
    while (lengths[from] > same) {
      from--;
    }
    back(from);
    for (int d = from; d < depth; d++) {
      int enabled = simulation.enabled();
      int index = enabled == 1 ? 0 : repeated(wanted);
      boolean failed =
          simulation
              .step(simulation.enabledAt(index), options -> options == 1 ? 0 : repeated(wanted))
              .isPresent();
      if (failed || simulation.endless()) {
        throw new AssertionError("a step ended an execution only when it was repeated");
      }
      keep(d + 1);
    }
    if (decisions.length() != wanted.length) {
      throw new AssertionError("a state was reached with other decisions");
    }
  }

  private int repeated(int[] wanted) {
    int decision = wanted[decisions.length()];
    decisions.add(decision);
    return decision;
  }

  /** Begins to take the steps of these enabled agents of the current state, of that depth. */
  void open(int depth, int from, int end) {
    keep(depth);
    turn[depth] = from;
    ends[depth] = end;
    inside[depth].reset();
  }

  private void keep(int depth) {
    room(depth);
    simulation.save(depth);
    lengths[depth] = decisions.length();
    kept = depth;
  }

  /** Whether a step of that depth is left. */
  boolean left(int depth) {
    return turn[depth] < ends[depth];
  }

  /**
   * Gives up all agents of that depth after the one in turn; returns the first of them, or 0 if
   * there is none.
   */
  int giveUp(int depth) {
    int next = turn[depth] + 1;
    if (next >= ends[depth]) {
      return 0;
    }
    ends[depth] = next;
    return next;
  }

  /** The number after the last agent to try at that depth. */
  int end(int depth) {
    return ends[depth];
  }

  /** Takes the next step of that depth. */
  Arrival step(int depth) {
    if (simulation.enabled() > 1) {
      decisions.add(turn[depth]);
    }
    steps++;
    simulation.touched().clear();
    DecisionOdometer branch = inside[depth];
    branch.begin();
    found = simulation.step(simulation.enabledAt(turn[depth]), branch).orElse(null);
    branch.copyTo(decisions);
    if (found != null) {
      executions++;
      return Arrival.FOUND;
    }
    return simulation.endless() ? Arrival.ENDLESS : arrival();
  }

  /** No lane gives up in a search over versions of parts. */
  private Arrival arrival() {
    if (simulation.enabled() > 0) {
      return Arrival.STATE;
    }
    if (simulation.goesOn()) {
      throw new AssertionError("a lane gives up in a search without timeouts");
    }
    executions++;
    found = simulation.end().orElse(null);
    return found == null ? Arrival.END : Arrival.FOUND;
  }

  /** Returns to the state of that depth. */
  private void back(int depth) {
    simulation.restore(depth);
    decisions.cut(lengths[depth]);
    kept = depth;
  }

  /** Returns to the state of that depth, and turns to its next step. */
  void next(int depth) {
    back(depth);
    if (!inside[depth].advance()) {
      turn[depth]++;
      inside[depth].reset();
    }
  }

  /** The fingerprint of the current state. */
  Fingerprint fingerprint() {
    fingerprint.clear();
    simulation.digest(fingerprint);
    return fingerprint;
  }

  private void room(int depth) {
    if (depth >= turn.length) {
      turn = Arrays.copyOf(turn, 2 * depth);
      ends = Arrays.copyOf(ends, 2 * depth);
      lengths = Arrays.copyOf(lengths, 2 * depth);
      inside = Arrays.copyOf(inside, 2 * depth);
    }
    if (inside[depth] == null) {
      inside[depth] = new DecisionOdometer();
    }
  }
}
