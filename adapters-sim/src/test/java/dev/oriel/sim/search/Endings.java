package dev.oriel.sim.search;

import dev.oriel.sim.machine.Finding;
import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.replay.Shard;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * How executions of a program end: what was found, and the outcomes of those that found nothing.
 */
public final class Endings {
  public final Set<Finding.Kind> found = EnumSet.noneOf(Finding.Kind.class);
  public final Set<String> outcomes = new TreeSet<>();
  public long executions;
  public boolean cut;

  /** Every execution, at the level of synchronisation or in every order of every step. */
  public static Endings systematic(
      Simulation simulation, boolean full, Function<Simulation, String> outcome) {
    Endings endings = new Endings();
    Exhaustive search =
        Exhaustive.of(
            simulation,
            full,
            new Budget(1, 1_000_000, 100_000, Long.MAX_VALUE),
            Shard.WHOLE,
            f -> {
              endings.add(f, simulation, outcome);
              return true;
            });
    search.run();
    endings.executions = search.executions();
    endings.cut = search.cut();
    return endings;
  }

  /** That many executions of each schedule that samples. */
  public static Endings sampled(
      Simulation simulation, long seed, int executions, Function<Simulation, String> outcome) {
    Endings endings = new Endings();
    Schedule[] schedules = {
      new Schedules.Random(seed),
      new Schedules.Pos(seed),
      new Schedules.Pct(seed, 2, 12),
      new Schedules.Pct(seed, 4, 12)
    };
    simulation.exploring(() -> {
      for (Schedule schedule : schedules) {
        Sampling sampling = new Sampling(simulation, schedule, 1_000_000);
        for (int i = 0; i < executions; i++) {
          endings.add(sampling.one(i), simulation, outcome);
          endings.executions++;
        }
        endings.cut |= sampling.cut;
      }
      return true;
    });
    return endings;
  }

  private void add(
      Optional<Finding> finding, Simulation simulation, Function<Simulation, String> outcome) {
    if (finding.isPresent()) {
      found.add(finding.get().kind());
    } else {
      outcomes.add(outcome.apply(simulation));
    }
  }
}
