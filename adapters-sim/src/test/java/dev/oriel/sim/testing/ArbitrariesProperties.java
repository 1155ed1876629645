package dev.oriel.sim.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.topology.WorldShape;
import dev.oriel.domain.window.DataSizes;
import dev.oriel.domain.window.WindowLayout;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.sim.machine.settings.DetectorSet;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.ranks.RankCodeExploration;
import dev.oriel.sim.replay.FaultPlan;
import dev.oriel.sim.replay.TimeoutPolicy;
import dev.oriel.sim.search.Budget;
import dev.oriel.sim.search.Checker;
import dev.oriel.sim.search.Strategy;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.statistics.Statistics;

class ArbitrariesProperties {

  @Provide
  Arbitrary<WorldShape> shapes() {
    return WorldArbitraries.shapes(12);
  }

  @Provide
  Arbitrary<Topology> topologies() {
    return WorldArbitraries.topologies(6);
  }

  @Provide
  Arbitrary<WindowSpec> specs() {
    return WindowArbitraries.specs(4096);
  }

  @Provide
  Arbitrary<Long> sizes() {
    return SizeArbitraries.bytes(4096);
  }

  @Provide
  Arbitrary<Form> programs() {
    return ProgramArbitraries.small(3);
  }

  @Property(tries = 300)
  void shapesAreOfEveryKind(@ForAll("shapes") WorldShape shape) {
    assertThat(shape.world()).isBetween(1, 12);
    Statistics.label("mixed").collect(shape.hosts() > 1 && shape.gpusPerHost() > 1);
    Statistics.label("mixed").coverage(c -> c.check(true).count(n -> n > 5));
    Statistics.label("odd").collect(Integer.bitCount(shape.world()) > 1);
    Statistics.label("odd").coverage(c -> c.check(true).count(n -> n > 5));
  }

  @Property(tries = 100)
  void everyWindowCanBeLaidOut(
      @ForAll("specs") WindowSpec spec, @ForAll("topologies") Topology topology) {
    assertThat(WindowLayout.of(spec, topology).topology().world()).isBetween(1, 6);
  }

  @Property(tries = 200)
  void sizesStayBelowTheirMost(@ForAll("sizes") long bytes) {
    assertThat(bytes).isBetween(0L, 4096L);
    Statistics.label("nothing").collect(bytes == 0);
    Statistics.label("nothing").coverage(c -> c.check(true).count(n -> n > 0));
  }

  /**
   * A machine accepts every plan: it would reject one with a queue, rank or proxy that does not
   * exist.
   */
  @Property(tries = 150)
  void plansReadBackAndFitTheirWorldAndProgram(
      @ForAll("programs") Form form,
      @ForAll("topologies") Topology topology,
      @ForAll boolean proxy,
      @ForAll Random random) {
    Program program = Program.bind(form, topology.world(), Map.of("B", 8L));
    Profile profile = Profile.parse(proxy ? "L2,proxy=1" : "L2");
    FaultPlan plan =
        FaultPlanArbitraries.plans(program, topology, profile, 4)
            .generator(100)
            .next(random)
            .value();
    assertThat(FaultPlan.parse(plan.toString())).isEqualTo(plan);
    ExecutionSettings settings =
        new ExecutionSettings(profile, 1, DetectorSet.ALL, TimeoutPolicy.QUIESCENCE).with(plan);
    new Checker(Strategy.FIFO, Budget.DEFAULT, 1, settings).check(program, topology);
    boolean queued = plan.faults().stream().anyMatch(f -> f.kind().isOfQueue());
    Statistics.label("of queues").collect(queued);
    Statistics.label("of queues").coverage(c -> c.check(true).count(n -> n > 5));
    boolean proxied = plan.faults().stream().anyMatch(f -> f.kind().isOfProxy());
    Statistics.label("of proxies").collect(proxied);
    Statistics.label("of proxies").coverage(c -> c.check(true).count(n -> n > 5));
  }

  /** Plans for rank code contain only faults that its exploration supports. */
  @Property(tries = 50)
  void plansOfRankCodeFitIt(@ForAll boolean keys, @ForAll boolean proxy, @ForAll Random random) {
    RankCodeExploration plain =
        RankCodeExploration.of(
                "none",
                WindowSpec.named("w").withData(DataSizes.uniform(8)),
                Topology.parse("2x1"),
                Thread::startVirtualThread,
                (window, rank) -> {})
            .withProfile(Profile.parse(proxy ? "L2,proxy=1" : "L2"))
            .withStrategy(Strategy.FIFO);
    RankCodeExploration exploration = keys ? plain.withKeys(2, 1) : plain;
    FaultPlan plan = FaultPlanArbitraries.plans(exploration, 4).generator(100).next(random).value();
    assertThat(exploration.withFaults(plan).withTimeouts(TimeoutPolicy.QUIESCENCE).check().found())
        .isEmpty();
    boolean refused = plan.faults().stream().anyMatch(f -> !f.kind().meetsPrograms());
    Statistics.label("refused").collect(refused);
    Statistics.label("refused").coverage(c -> c.check(true).count(n -> n > 3));
  }

  @Property(tries = 40)
  void smallProgramsHoldEverywhere(
      @ForAll("programs") Form form,
      @ForAll("topologies") Topology topology,
      @ForAll("sizes") long bytes) {
    Program program = Program.bind(form, topology.world(), Map.of("B", bytes));
    Explorer.standard()
        .withStrategy(Strategy.SYNCHRONISATION)
        .withProfile(Profile.RDMA_STRICT)
        .withBudget(new Budget(1, 500, 50_000, 20_000_000))
        .withLaunches(2)
        .assertThatHolds(program, topology);
  }
}
