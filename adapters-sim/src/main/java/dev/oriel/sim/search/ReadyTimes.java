package dev.oriel.sim.search;

import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.machine.Work;
import dev.oriel.sim.time.LinkModel;
import dev.oriel.sim.time.StepPrices;
import java.util.Arrays;

/**
 * When the next step of each enabled agent is due: what it takes, behind the agent's own step
 * before or behind the step of somebody else that let it go on. It follows from the steps taken
 * alone, so that a wider window only adds candidates.
 *
 * <p>No part of a machine's state, and nothing is made per step.
 */
final class ReadyTimes {
  private final StepPrices prices;
  private final Work work = new Work();
  private long[] due = {};

  /** One bit for each agent: who could go on at the step before, and who can now. */
  private long[] before = {};

  private long[] enabled = {};
  private long now;
  private int stepped;
  private int first;

  ReadyTimes(LinkModel links) {
    prices = new StepPrices(links);
  }

  /** Nothing happened yet. */
  void begin() {
    Arrays.fill(enabled, 0);
    now = 0;
    stepped = -1;
  }

  /** Looks who can go on, of whom there are {@code count}, and when. */
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

  /** The agent whose step is due first; of equals, the one of the smallest number. */
  int first() {
    return first;
  }

  /** How many steps are due no later than {@code delta} behind the first; for 0, the first. */
  int candidates(Simulation simulation, int count, long delta) {
    int candidates = 0;
    for (int i = 0; i < count; i++) {
      candidates += within(simulation.enabledAt(i), delta) ? 1 : 0;
    }
    return candidates;
  }

  /** One of these, in the order of their numbers. */
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

  /** The agent takes its step when it is due. */
  void take(int agent) {
    now = due[agent];
    stepped = agent;
  }

  /** When the last step was taken. */
  long now() {
    return now;
  }

  /** How long after the first step the agent's is due. */
  long behind(int agent) {
    return due[agent] - due[first];
  }

  /** Makes this equal to another of the same program. */
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
