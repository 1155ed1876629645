package dev.oriel.sim.search;

import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.machine.finding.Finding;
import dev.oriel.sim.machine.fingerprint.Fingerprint;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One thread's share of a search of every order of every step. It explores branches depth first on
 * a simulation of its own, and the states that it reaches first. When another thread waits, it
 * leaves that thread the last agents of its shallowest unfinished state.
 *
 * <p>Each step of a visited state is taken once, by one thread. The steps of a state depend on the
 * state alone. So the number of states, of steps and of executions is that of one thread.
 */
final class SearchWorker implements Runnable {
  /** Bytes of bookkeeping for one depth. */
  private static final int DEPTH_BYTES = 200;

  /** States between two looks at the limits, which take longer than a state. */
  private static final int ASK = 64;

  private final int number;
  private final Simulation simulation;
  private final BranchQueue queue;
  private final SharedStates seen;
  private final SharedLimits limits;
  private final Fingerprint fingerprint = new Fingerprint();
  private final DecisionPath path = new DecisionPath();

  /** For each depth: the enabled agent to try, the one after the last, and the path to there. */
  private int[] turn = new int[64];

  private int[] ends = new int[64];
  private int[] lengths = new int[64];
  private DecisionOdometer[] inside = new DecisionOdometer[64];

  private boolean begun;
  private int unasked;
  private long executions;
  private long steps;
  private long work;
  private @Nullable Finding found;
  private @Nullable SearchLimit limit;
  private @Nullable Throwable thrown;

  SearchWorker(
      int number,
      Simulation simulation,
      BranchQueue queue,
      SharedStates seen,
      SharedLimits limits) {
    this.number = number;
    this.simulation = simulation;
    this.queue = queue;
    this.seen = seen;
    this.limits = limits;
  }

  /** Explores branches until none is left, or the search is stopped. */
  @Override
  public void run() {
    if (!queue.enter()) {
      return;
    }
    try {
      for (SearchBranch branch = queue.take(); branch != null; branch = queue.take()) {
        if (explore(branch)) {
          queue.done();
        }
      }
    } catch (Throwable e) {
      thrown = e;
      queue.stop();
    } finally {
      queue.leave();
    }
  }

  Simulation simulation() {
    return simulation;
  }

  /** Executions that completed. */
  long executions() {
    return executions;
  }

  long steps() {
    return steps;
  }

  /** The violation at which it stopped the search, if any. */
  @Nullable Finding found() {
    return found;
  }

  /** The decisions that lead to the violation. */
  int[] path() {
    return path.toArray();
  }

  /** The limit at which it stopped the search, if any. */
  @Nullable SearchLimit limit() {
    return limit;
  }

  /** What ended it, if it did not end well. */
  @Nullable Throwable thrown() {
    return thrown;
  }

  /** Whether the branch was explored to its end. */
  private boolean explore(SearchBranch branch) {
    int first = branch.depth();
    if (!enter(branch)) {
      return report(first);
    }
    int depth = first;
    while (!queue.stopped()) {
      if (turn[depth] >= ends[depth]) {
        if (depth == first) {
          return report(depth);
        }
        depth--;
        back(depth);
        continue;
      }
      if (queue.wanting()) {
        share(first, depth);
      }
      if (step(depth)) {
        depth++;
      } else if (!queue.stopped()) {
        back(depth);
      }
    }
    return false;
  }

  /** Reaches the branch's state; whether there is an agent to try. */
  private boolean enter(SearchBranch branch) {
    if (!begun) {
      simulation.restart();
      room(0);
      simulation.save(0);
      begun = true;
    }
    simulation.restore(0);
    path.cut(0);
    if (branch.equals(SearchBranch.ALL)) {
      return arrive(0);
    }
    int depth = branch.depth();
    repeat(branch);
    simulation.save(depth);
    open(depth, branch.turn(), branch.end());
    return true;
  }

  /** Repeats the steps that lead to the branch's state; they were counted before. */
  private void repeat(SearchBranch branch) {
    int[] decisions = branch.decisions();
    for (int i = 0; i < branch.depth(); i++) {
      int enabled = simulation.enabled();
      int index = enabled == 1 ? 0 : repeated(decisions);
      boolean failed =
          simulation
              .step(simulation.enabledAt(index), options -> options == 1 ? 0 : repeated(decisions))
              .isPresent();
      if (failed || simulation.endless()) {
        throw new AssertionError("a step ended an execution on one thread only");
      }
    }
    fingerprint();
    if (path.length() != decisions.length || seen.add(fingerprint.high(), fingerprint.low())) {
      throw new AssertionError("a state is another one on another thread");
    }
  }

  private int repeated(int[] decisions) {
    int decision = decisions[path.length()];
    path.add(decision);
    return decision;
  }

  /** Leaves the last agents of the shallowest state that has some to another thread. */
  private void share(int first, int depth) {
    for (int d = first; d <= depth; d++) {
      if (turn[d] + 1 < ends[d]) {
        queue.give(new SearchBranch(d, path.toArray(lengths[d]), turn[d] + 1, ends[d]));
        ends[d] = turn[d] + 1;
        return;
      }
    }
  }

  /** Takes the next step at that depth; whether it leads to a state to explore. */
  private boolean step(int depth) {
    if (simulation.enabled() > 1) {
      path.add(turn[depth]);
    }
    steps++;
    simulation.touched().clear();
    DecisionOdometer branch = inside[depth];
    branch.begin();
    Optional<Finding> finding = simulation.step(simulation.enabledAt(turn[depth]), branch);
    branch.copyTo(path);
    if (finding.isPresent()) {
      executions++;
      found = finding.get();
      queue.stop();
      return false;
    }
    if (simulation.endless()) {
      stop(SearchLimit.ENDLESS);
      return false;
    }
    return arrive(depth + 1);
  }

  /** Whether a state was reached first here and has an agent to try; if so, saves it. */
  private boolean arrive(int depth) {
    room(depth);
    int enabled = simulation.enabled();
    if (enabled == 0) {
      end();
      return false;
    }
    work += simulation.size();
    if (depth >= limits.steps()) {
      stop(SearchLimit.WORK);
      return false;
    }
    if (++unasked % ASK == 0 && !report(depth)) {
      return false;
    }
    fingerprint();
    if (!seen.add(fingerprint.high(), fingerprint.low())) {
      return false;
    }
    simulation.save(depth);
    open(depth, 0, enabled);
    return true;
  }

  /** No agent is enabled. No lane gives up in a search over versions of parts. */
  private void end() {
    if (simulation.goesOn()) {
      throw new AssertionError("a lane gives up in a search without timeouts");
    }
    executions++;
    Optional<Finding> finding = simulation.end();
    if (finding.isPresent()) {
      found = finding.get();
      queue.stop();
    }
  }

  private void fingerprint() {
    fingerprint.clear();
    simulation.digest(fingerprint);
  }

  private void open(int depth, int from, int end) {
    room(depth);
    turn[depth] = from;
    ends[depth] = end;
    lengths[depth] = path.length();
    inside[depth].reset();
  }

  /** Returns to the state of that depth, and turns to its next step. */
  private void back(int depth) {
    simulation.restore(depth);
    path.cut(lengths[depth]);
    if (!inside[depth].advance()) {
      turn[depth]++;
      inside[depth].reset();
    }
  }

  /** Reports what this thread uses and did; whether the search goes on. */
  private boolean report(int depth) {
    long bytes = simulation.footprint(depth) + (long) DEPTH_BYTES * depth;
    SearchLimit reached = limits.report(number, bytes, work);
    if (reached != null) {
      stop(reached);
    }
    return reached == null;
  }

  private void stop(SearchLimit by) {
    limit = by;
    queue.stop();
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
