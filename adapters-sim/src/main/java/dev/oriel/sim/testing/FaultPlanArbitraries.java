package dev.oriel.sim.testing;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.engine.EngineRequirements;
import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.machine.Simulation.Connection;
import dev.oriel.sim.machine.settings.DetectorSet;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.ranks.RankCodeExploration;
import dev.oriel.sim.replay.Fault;
import dev.oriel.sim.replay.FaultKind;
import dev.oriel.sim.replay.FaultPlan;
import dev.oriel.sim.replay.TimeoutPolicy;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Arbitraries of fault plans. */
public final class FaultPlanArbitraries {
  private static final int NUMBERS = 4;
  private static final int LATEST = 50;

  private FaultPlanArbitraries() {}

  /**
   * Plans of 0 to {@code most} faults of the program's ranks and queues and, if the profile has
   * them, proxies.
   */
  public static Arbitrary<FaultPlan> plans(
      Program program, Topology topology, Profile profile, int most) {
    List<Connection> queues =
        new Simulation(
                program,
                topology,
                EngineRequirements.lower(program, topology, topology.kinds()),
                new ExecutionSettings(profile, 1, DetectorSet.ALL, TimeoutPolicy.NEVER))
            .connections();
    FaultKind[] kinds =
        Arrays.stream(FaultKind.values())
            .filter(FaultKind::meetsPrograms)
            .filter(kind -> !queues.isEmpty() || !kind.isOfQueue())
            .filter(kind -> profile.proxy() || !kind.isOfProxy())
            .toArray(FaultKind[]::new);
    return plans(kinds, topology.world(), queues, most);
  }

  /**
   * Plans of 0 to {@code most} faults of the rank code's ranks and, if it has them, proxies and
   * registrations.
   */
  public static Arbitrary<FaultPlan> plans(RankCodeExploration exploration, int most) {
    FaultKind[] kinds =
        Arrays.stream(FaultKind.values())
            .filter(FaultKind::meetsRankCode)
            .filter(kind -> exploration.arena().keys() > 0 || kind.meetsPrograms())
            .filter(kind -> exploration.settings().profile().proxy() || !kind.isOfProxy())
            .toArray(FaultKind[]::new);
    return plans(kinds, exploration.topology().world(), List.of(), most);
  }

  private static Arbitrary<FaultPlan> plans(
      FaultKind[] kinds, int world, List<Connection> queues, int most) {
    Arbitrary<int[]> numbers =
        Arbitraries.integers().between(0, LATEST).array(int[].class).ofSize(NUMBERS);
    return Combinators.combine(Arbitraries.of(kinds), numbers)
        .as((kind, drawn) -> fault(kind, drawn, world, queues))
        .list()
        .ofMaxSize(most)
        .map(FaultPlan::new);
  }

  /** The first number drawn determines the place: a rank, or one of all queues. */
  private static Fault fault(FaultKind kind, int[] drawn, int world, List<Connection> queues) {
    int[] values = Arrays.copyOf(drawn, kind.keys().size());
    if (kind.isOfQueue()) {
      int number = drawn[0] % queues.size();
      Connection queue = queues.get(number);
      values[0] = queue.rank();
      values[1] =
          kind.joinsRanks()
              ? queue.peer()
              : (int) queues.stream().limit(number).filter(q -> q.rank() == queue.rank()).count();
    } else {
      values[0] = drawn[0] % world;
    }
    return kind.of(values);
  }
}
