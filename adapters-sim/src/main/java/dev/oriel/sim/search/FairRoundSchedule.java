package dev.oriel.sim.search;

import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.replay.RandomStream;
import java.util.Arrays;

/**
 * Searches for endless executions. Odd executions choose any agent. Even ones run all agents at one
 * pace, because lanes that yield to each other then repeat their steps. In those, an enabled agent
 * that is no lane goes first; among lanes, the one whose last step was earliest.
 *
 * <p>When the lanes have returned to an earlier state, the schedule repeats the round of agents
 * that led there, as long as each repetition leads back. An execution without progress that can
 * continue endlessly therefore does so. A lane that polls reads the newest value, since every write
 * becomes visible eventually.
 */
final class FairRoundSchedule implements ExecutionSchedule {
  /** The number of repeated rounds tried in one execution; most of them lead elsewhere. */
  private static final int TRIED = 50;

  /** At one pace, one step in this many is taken by a random agent. */
  private static final int STRAYS = 32;

  private final long seed;
  private boolean paced;
  private long[] last = {};
  private RandomStream source = RandomStream.of(0);
  private int[] agents = new int[64];
  private int steps;
  private int period;
  private int left;
  private int tried;
  private boolean polls;

  FairRoundSchedule(long seed) {
    this.seed = seed;
  }

  @Override
  public void begin(long execution) {
    source = RandomStream.of(seed, execution);
    paced = execution % 2 == 0;
    last = new long[0];
    steps = 0;
    period = 0;
    tried = 0;
  }

  @Override
  public int next(Simulation simulation, int enabled) {
    if (period > 0 && left == 0 && simulation.round() != period) {
      period = 0;
    }
    if (period == 0 && tried < TRIED) {
      period = simulation.round();
      tried += period > 0 ? 1 : 0;
      left = 0;
    }
    if (period > 0 && left == 0) {
      left = period;
    }
    int agent = any(simulation, enabled);
    if (period > 0) {
      int before = agents[steps - period];
      if (isEnabled(simulation, before, enabled)) {
        agent = before;
        left--;
      } else {
        period = 0;
      }
    }
    if (steps == agents.length) {
      agents = Arrays.copyOf(agents, 2 * steps);
    }
    last[agent] = steps;
    agents[steps++] = agent;
    polls = simulation.polls(agent);
    return agent;
  }

  private int any(Simulation simulation, int enabled) {
    if (last.length == 0) {
      last = new long[simulation.agents()];
      Arrays.setAll(last, agent -> -1 - source.below(last.length));
    }
    int first = simulation.enabledAt(enabled == 1 ? 0 : source.below(enabled));
    boolean stray = !paced || source.below(STRAYS) == 0;
    for (int i = 0; i < enabled && !stray; i++) {
      int agent = simulation.enabledAt(i);
      boolean lane = simulation.ofLane(agent);
      boolean sooner = lane == simulation.ofLane(first) ? last[agent] < last[first] : !lane;
      first = sooner ? agent : first;
    }
    return first;
  }

  private static boolean isEnabled(Simulation simulation, int agent, int enabled) {
    for (int i = 0; i < enabled; i++) {
      if (simulation.enabledAt(i) == agent) {
        return true;
      }
    }
    return false;
  }

  @Override
  public int choose(int options) {
    return polls ? options - 1 : period > 0 ? 0 : source.below(options);
  }
}
