package dev.oriel.sim.search;

import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.machine.step.StepWork;
import dev.oriel.sim.time.LinkModel;
import dev.oriel.sim.time.StepPrices;
import java.util.Arrays;

/**
 * The times at which the next steps of the enabled agents are due. A step is due its own duration
 * after the agent's previous step, or after the step of another agent that enabled it. Times follow
 * from the steps taken alone, so a wider window only adds candidates.
 *
 * <p>Not part of a machine's state. A step allocates nothing.
 */
final class ReadyTimes {
  private final StepPrices prices;
  private final StepWork work = new StepWork();
  private long[] due = {};

  /** One bit for each agent: enabled before the last step, and enabled now. */
  private long[] before = {};

  private long[] enabled = {};
  private long now;
  private int stepped;
  private int first;

  ReadyTimes(LinkModel links) {
    prices = new StepPrices(links);
  }

  /** Starts an execution. */
  void begin() {
    Arrays.fill(enabled, 0);
    now = 0;
    stepped = -1;
  }

  /** Computes the due times of the {@code count} enabled agents. */
  void look(Simulation simulation, int count) {
    room(simulation.agents());
    long[] swap = before;
    before = enabled;
    enabled = swap;
    Arrays.fill(enabled, 0);
    first = simulation.enabledAt(0);
    for (int i = 0; i < count; i++) {
      int agent = simulation.enabledAt(i);
      enabled[agent >> 6] |= 1L << agent;
      boolean waited = (before[agent >> 6] & 1L << agent) == 0;
      if (waited || agent == stepped) {
        simulation.work(agent, work);
        due[agent] = now + prices.of(work, waited);
      }
      first = due[agent] < due[first] ? agent : first;
    }
  }

  /** The agent whose step is due first; of equals, the one with the smallest number. */
  int first() {
    return first;
  }

  /** The number of steps due at most {@code delta} after the first; for 0, only the first. */
  int candidates(Simulation simulation, int count, long delta) {
    int candidates = 0;
    for (int i = 0; i < count; i++) {
      candidates += within(simulation.enabledAt(i), delta) ? 1 : 0;
    }
    return candidates;
  }

  /** One of these candidates, in the order of their numbers. */
  int candidate(Simulation simulation, int rank, long delta) {
    int left = rank;
    for (int i = 0; ; i++) {
      int agent = simulation.enabledAt(i);
      if (within(agent, delta) && left-- == 0) {
        return agent;
      }
    }
  }

  private boolean within(int agent, long delta) {
    return delta == 0 ? agent == first : due[agent] - due[first] <= delta;
  }

  /** The agent takes its step at its due time. */
  void take(int agent) {
    now = due[agent];
    stepped = agent;
  }

  /** The time of the last step. */
  long now() {
    return now;
  }

  /** How long after the first step the agent's step is due. */
  long after(int agent) {
    return due[agent] - due[first];
  }

  /** Copies the state of another of the same program. */
  void copy(ReadyTimes other) {
    due = other.due.clone();
    before = other.before.clone();
    enabled = other.enabled.clone();
    now = other.now;
    stepped = other.stepped;
    first = other.first;
  }

  private void room(int agents) {
    if (due.length != agents) {
      due = new long[agents];
      before = new long[(agents + 63) >> 6];
      enabled = new long[before.length];
    }
  }
}
