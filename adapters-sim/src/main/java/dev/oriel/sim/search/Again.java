package dev.oriel.sim.search;

import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.replay.Draws;
import java.util.Arrays;

/**
 * Any agent in one execution, and in the next all at one pace, which is how those meet who make way
 * for each other: whatever is under way first, then the lane whose last step is longest ago. Until
 * lanes have gone round and stand where they stood before; then the same agents go round once more,
 * for as long as that leads back there. So what can go on for ever without anybody getting anywhere
 * does. Who looks finds the newest value, since nothing stays unseen for ever.
 */
final class Again implements Schedule {
  /** Rounds that led elsewhere, in one execution; more of them are not tried. */
  private static final int TRIED = 50;

  /** At one pace, any agent takes one step of so many. */
  private static final int STRAYS = 32;

  private final long seed;
  private boolean paced;
  private long[] last = {};
  private Draws source = Draws.of(0);
  private int[] agents = new int[64];
  private int steps;
  private int period;
  private int left;
  private int tried;
  private boolean looks;

  Again(long seed) {
    this.seed = seed;
  }

  @Override
  public void begin(long execution) {
    source = Draws.of(seed, execution);
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
    looks = simulation.looks(agent);
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
    return looks ? options - 1 : period > 0 ? 0 : source.below(options);
  }
}
