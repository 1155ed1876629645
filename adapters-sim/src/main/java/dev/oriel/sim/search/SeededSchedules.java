package dev.oriel.sim.search;

import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.replay.RandomStream;
import java.util.Arrays;

/** The schedules that need only a seed. */
final class SeededSchedules {
  private SeededSchedules() {}

  /** Always the first enabled agent. */
  static final class Fifo implements ExecutionSchedule {
    @Override
    public void begin(long execution) {}

    @Override
    public int next(Simulation simulation, int enabled) {
      return simulation.enabledAt(0);
    }

    @Override
    public int choose(int options) {
      return 0;
    }
  }

  /** Any agent, all with equal probability. */
  static final class Random implements ExecutionSchedule {
    private final long seed;
    private RandomStream source = RandomStream.of(0);

    Random(long seed) {
      this.seed = seed;
    }

    @Override
    public void begin(long execution) {
      source = RandomStream.of(seed, execution);
    }

    @Override
    public int next(Simulation simulation, int enabled) {
      return simulation.enabledAt(enabled == 1 ? 0 : source.below(enabled));
    }

    @Override
    public int choose(int options) {
      return source.below(options);
    }
  }

  /**
   * Random priorities: the enabled agent of the highest priority takes each step. At {@code depth -
   * 1} random steps, that agent drops to the lowest priority. So the probability of finding a fault
   * that needs that many ordering constraints does not depend on the number of idle agents.
   */
  static final class Pct implements ExecutionSchedule {
    private final long seed;
    private final int depth;
    private final int steps;
    private RandomStream source = RandomStream.of(0);
    private long[] priorities = {};
    private int[] changes = {};
    private int step;

    Pct(long seed, int depth, int steps) {
      this.seed = seed;
      this.depth = depth;
      this.steps = Math.max(1, steps);
    }

    @Override
    public void begin(long execution) {
      source = RandomStream.of(seed, execution);
      priorities = new long[0];
      changes = new int[depth - 1];
      for (int i = 0; i < changes.length; i++) {
        changes[i] = source.below(steps);
      }
      step = 0;
    }

    @Override
    public int next(Simulation simulation, int enabled) {
      if (priorities.length == 0) {
        priorities = new long[simulation.agents()];
        Arrays.setAll(priorities, i -> source.next() >>> 1);
      }
      int best = simulation.enabledAt(0);
      for (int i = 1; i < enabled; i++) {
        int agent = simulation.enabledAt(i);
        best = priorities[agent] > priorities[best] ? agent : best;
      }
      for (int i = 0; i < changes.length; i++) {
        if (changes[i] == step) {
          priorities[best] = -1L - i;
        }
      }
      step++;
      return best;
    }

    @Override
    public int choose(int options) {
      return source.below(options);
    }
  }

  /** Random priorities of steps, drawn anew for every step of an agent. */
  static final class Pos implements ExecutionSchedule {
    private final long seed;
    private RandomStream source = RandomStream.of(0);
    private long[] priorities = {};

    Pos(long seed) {
      this.seed = seed;
    }

    @Override
    public void begin(long execution) {
      source = RandomStream.of(seed, execution);
      priorities = new long[0];
    }

    @Override
    public int next(Simulation simulation, int enabled) {
      if (priorities.length == 0) {
        priorities = new long[simulation.agents()];
        Arrays.setAll(priorities, i -> source.next());
      }
      int best = simulation.enabledAt(0);
      for (int i = 1; i < enabled; i++) {
        int agent = simulation.enabledAt(i);
        best = priorities[agent] > priorities[best] ? agent : best;
      }
      priorities[best] = source.next();
      return best;
    }

    @Override
    public int choose(int options) {
      return source.below(options);
    }
  }
}
