package dev.oriel.sim.search;

import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.machine.finding.Finding;
import dev.oriel.sim.machine.fingerprint.Fingerprint;
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
  private final SearchPath path;
  private final BranchQueue queue;
  private final SharedStates seen;
  private final SharedLimits limits;
  private int unasked;
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
    this.path = new SearchPath(simulation);
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
    return path.simulation();
  }

  /** Executions that completed. */
  long executions() {
    return path.executions();
  }

  long steps() {
    return path.steps();
  }

  /** The violation at which it stopped the search, if any. */
  @Nullable Finding found() {
    return found;
  }

  /** The decisions that lead to the violation. */
  int[] path() {
    return path.decisions().toArray();
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
      if (!path.left(depth)) {
        if (depth == first) {
          return report(depth);
        }
        depth--;
        path.next(depth);
        continue;
      }
      if (queue.wanting()) {
        share(first, depth);
      }
      if (arrive(path.step(depth), depth + 1)) {
        depth++;
      } else if (!queue.stopped()) {
        path.next(depth);
      }
    }
    return false;
  }

  /** Reaches the branch's state; whether there is an agent to try. */
  private boolean enter(SearchBranch branch) {
    if (branch.equals(SearchBranch.ALL)) {
      return arrive(path.first(), 0);
    }
    int depth = branch.depth();
    path.reach(branch.decisions(), depth);
    Fingerprint reached = path.fingerprint();
    if (seen.add(reached.high(), reached.low())) {
      throw new AssertionError("a state is another one on another thread");
    }
    path.open(depth, branch.turn(), branch.end());
    return true;
  }

  /** Leaves the last agents of the shallowest state that has some to another thread. */
  private void share(int first, int depth) {
    for (int d = first; d <= depth; d++) {
      int end = path.end(d);
      int next = path.giveUp(d);
      if (next > 0) {
        queue.give(new SearchBranch(d, path.decisionsTo(d), next, end));
        return;
      }
    }
  }

  /** Whether a state was reached first here, and is opened therefore. */
  private boolean arrive(SearchPath.Arrival at, int depth) {
    switch (at) {
      case END -> {
        return false;
      }
      case FOUND -> {
        found = path.found();
        queue.stop();
        return false;
      }
      case ENDLESS -> {
        stop(SearchLimit.ENDLESS);
        return false;
      }
      case STATE -> {}
    }
    work += simulation().size();
    if (depth >= limits.steps()) {
      stop(SearchLimit.WORK);
      return false;
    }
    if (++unasked % ASK == 0 && !report(depth)) {
      return false;
    }
    Fingerprint reached = path.fingerprint();
    if (!seen.add(reached.high(), reached.low())) {
      return false;
    }
    path.open(depth, 0, simulation().enabled());
    return true;
  }

  /** Reports what this thread uses and did; whether the search goes on. */
  private boolean report(int depth) {
    long bytes = simulation().footprint(depth) + (long) DEPTH_BYTES * depth;
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
}
