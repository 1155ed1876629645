package dev.oriel.sim.testing;

import dev.oriel.sim.replay.Fault;
import dev.oriel.sim.replay.FaultKind;
import dev.oriel.sim.replay.FaultPlan;
import java.util.Arrays;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Draws what goes wrong. */
public final class FaultPlans {
  private static final int NUMBERS = 4;
  private static final int LATEST = 50;

  private FaultPlans() {}

  /**
   * Plans of none to {@code most} faults at ranks of a world of that size. What a program has of
   * queues is not known here: a machine refuses those at queues or links that it has not.
   */
  public static Arbitrary<FaultPlan> plans(int world, int most) {
    return plans(world, most, false);
  }

  /** The same where lanes hand their requests to proxies, which may fail as well. */
  public static Arbitrary<FaultPlan> proxied(int world, int most) {
    return plans(world, most, true);
  }

  private static Arbitrary<FaultPlan> plans(int world, int most, boolean proxy) {
    return faults(world, proxy).list().ofMaxSize(most).map(FaultPlan::new);
  }

  private static Arbitrary<Fault> faults(int world, boolean proxy) {
    FaultKind[] kinds =
        Arrays.stream(FaultKind.values())
            .filter(kind -> world > 1 || !kind.joinsRanks())
            .filter(kind -> proxy || !kind.isOfProxy())
            .toArray(FaultKind[]::new);
    Arbitrary<int[]> numbers =
        Arbitraries.integers().between(0, LATEST).array(int[].class).ofSize(NUMBERS);
    return Combinators.combine(Arbitraries.of(kinds), numbers)
        .as((kind, drawn) -> fault(kind, drawn, world));
  }

  private static Fault fault(FaultKind kind, int[] drawn, int world) {
    int[] values = Arrays.copyOf(drawn, kind.keys().size());
    for (int i = 0; i < values.length; i++) {
      values[i] = kind.isRank(i) ? values[i] % world : values[i];
    }
    if (kind.joinsRanks() && values[0] == values[1]) {
      values[1] = (values[1] + 1) % world;
    }
    return kind.of(values);
  }
}
