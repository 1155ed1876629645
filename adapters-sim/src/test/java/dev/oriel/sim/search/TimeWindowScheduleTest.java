package dev.oriel.sim.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.contract.ShippedPrograms;
import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.time.TimeDriver;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimeWindowScheduleTest {
  /** Whether rank 2's signal arrives first depends on time: its lane has more work. */
  private static final String LATE =
      """
      form late
      scratch a[64]
      signal S[1]
      signal T[1]
      lane main: sm(32) {
        if r == 0 {
          await S[0]@1 reached epoch acquire
          read x <- T[0]@2 acquire
          check x < epoch else 9
        }
        if r == 1 { signal S[0]@0 set epoch release }
        if r == 2 {
          for t < 6 {
            move a[0] <- a[8] bytes 8
            sync
          }
          signal T[0]@0 set epoch release
        }
      }
      """;

  private static Simulation simulation(Form form, String shape, Map<String, Long> params) {
    Topology topology = Topology.parse(shape);
    Program program = Program.bind(form, topology.world(), params);
    return SimulationFactory.of(
        program,
        topology,
        SimulationFactory.lower(program, topology),
        Checker.strict(Profile.L2, 1),
        dev.oriel.sim.replay.FaultPlan.NONE);
  }

  private static TimeWindowSchedule window(long seed, String delta) {
    return new TimeWindowSchedule(
        seed, new WindowTiming(WindowTiming.DEFAULT.links(), WindowDelta.parse(delta)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0ps", "1ps", "500ns", "2us", "30ms", "1500ns", "any"})
  void printedDeltasParseToThemselves(String text) {
    assertThat(WindowDelta.parse(text)).hasToString(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "500", "-1ns", "1s", "1.5us", "1000000000ms", "all"})
  void invalidDeltasAreRejected(String text) {
    assertThatThrownBy(() -> WindowDelta.parse(text))
        .isInstanceOf(MachineException.class)
        .hasMessageContaining("text=" + text);
  }

  @Test
  void aDeltaGrowsByExecutionsAndBySteps() {
    WindowDelta delta = WindowDelta.parse("500ns");
    assertThat(delta.at(0, 63)).isEqualTo(500_000);
    assertThat(delta.at(0, 64)).isEqualTo(1_000_000);
    assertThat(delta.at(15, 0)).isEqualTo(500_000L << 15);
    assertThat(delta.at(16, 0)).isEqualTo(500_000);
    assertThat(delta.at(3, 1_000_000)).isEqualTo(Long.MAX_VALUE);
    assertThat(WindowDelta.NONE.at(15, 1_000_000)).isZero();
    assertThat(WindowDelta.ANY.at(0, 0)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void onlyAWideWindowReachesALateStep() {
    Simulation simulation = simulation(FormParser.parse(LATE), "1x3", Map.of());
    assertThat(failed(simulation, window(1, "0ns"), 0, 1)).isZero();
    // Six moves take 1.1 us longer than a signal. Executions 0 to 2 have windows of up to 800 ns.
    for (int first = 0; first < 160; first += 16) {
      assertThat(failed(simulation, window(1, "200ns"), first, first + 3)).isZero();
    }
    assertThat(failed(simulation, window(1, "200ns"), 3, 160)).isPositive();
    assertThat(failed(simulation, window(1, "any"), 0, 160)).isPositive();
  }

  private static long failed(Simulation simulation, TimeWindowSchedule window, long from, long to) {
    SamplingSearch sampling = new SamplingSearch(simulation, window, 100_000);
    return simulation.exploring(
        () -> LongStream.range(from, to).filter(i -> sampling.one(i).isPresent()).count());
  }

  @Test
  void aViolationOfAWindowHasATokenThatReplaysIt() {
    Form form = FormParser.parse(LATE);
    Topology topology = Topology.parse("1x3");
    CheckReport report =
        new Checker(Strategy.WINDOW, Budget.DEFAULT, 1, Checker.strict(Profile.L2, 1))
            .at(new WindowTiming(WindowTiming.DEFAULT.links(), WindowDelta.parse("2us")))
            .explore(Program.bind(form, 3, Map.of()), topology);
    CheckReport.Found found = report.found().orElseThrow();
    assertThat(report.verdict().strategy()).isEqualTo("window (delta=2us, links=h200)");
    assertThat(found.execution()).isPositive();
    assertThat(TokenReplay.play(found.token().orElseThrow(), form).finding()).isPresent();
  }

  @Test
  void thePortfolioEndsWithAWindow() {
    Program program = Program.bind(ShippedPrograms.form("ll_all_gather"), 2, Map.of("B", 9L));
    CheckReport report =
        new Checker(
                Strategy.PORTFOLIO,
                new Budget(3, 5000, 100_000, 10_000_000),
                1,
                Checker.strict(Profile.L2, 1))
            .explore(program, Topology.parse("1x2"));
    assertThat(report.verdict().strategy()).endsWith("window (delta=500ns, links=h200)=3");
  }

  /** Two models of time agree on the main costs only: see StepPrices. */
  @ParameterizedTest
  @CsvSource({
    "ll_all_gather, 1x2, 8",
    "ll_all_gather, 1x4, 8",
    "ll_all_gather, 2x1, 8",
    "ring_send_recv, 1x3, 600",
    "ring_send_recv, 3x1, 600"
  })
  void timeOrderTakesAboutThePredictedTime(String name, String shape, long bytes) {
    Form form = ShippedPrograms.form(name);
    Topology topology = Topology.parse(shape);
    Map<String, Long> params = Map.of("B", bytes);
    Simulation simulation = simulation(form, shape, params);
    TimeWindowSchedule window = window(1, "0ns");
    SamplingSearch sampling = new SamplingSearch(simulation, window, 100_000);
    assertThat(simulation.exploring(() -> sampling.one(0))).isEmpty();
    double here = window.now() / 1e3;
    double predicted =
        new TimeDriver(
                Program.bind(form, topology.world(), params),
                topology,
                WindowTiming.DEFAULT.links(),
                1,
                Map.of())
            .run()
            .total();
    System.out.printf(
        Locale.ROOT, "%s %s: coarse=%.0f ns, predicted=%.0f ns%n", name, shape, here, predicted);
    // Packets of several peers are polled one after another here, and at the same time there.
    assertThat(here / predicted).isBetween(0.7, 1.7);
  }

  @Test
  void inTimeOrderTimeNeverDecreases() {
    for (String shape : List.of("1x3", "3x1")) {
      Simulation simulation =
          simulation(ShippedPrograms.form("ring_send_recv"), shape, Map.of("B", 600L));
      TimeWindowSchedule window = window(1, "0ns");
      window.begin(0);
      simulation.exploring(() -> {
        window.begin(0);
        simulation.restart();
        long last = 0;
        while (simulation.enabled() > 0) {
          simulation.step(window.next(simulation, simulation.enabled()), window);
          assertThat(window.now()).isGreaterThanOrEqualTo(last);
          last = window.now();
        }
        return assertThat(last).isPositive();
      });
    }
  }

  @Test
  void stepsAllocateNoObjects() {
    Simulation simulation =
        simulation(ShippedPrograms.form("ll_all_gather"), "1x4", Map.of("B", 64L));
    var bean = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    double window = bytesPerStep(simulation, window(1, "500ns"), bean);
    double random = bytesPerStep(simulation, new SeededSchedules.Random(1), bean);
    System.out.printf(Locale.ROOT, "bytes a step: window=%.2f, random=%.2f%n", window, random);
    // The executions differ, and so do their allocations; one object per step would add 16 bytes.
    assertThat(window - random).isLessThan(8);
  }

  private static double bytesPerStep(
      Simulation simulation, ExecutionSchedule schedule, com.sun.management.ThreadMXBean bean) {
    SamplingSearch sampling = new SamplingSearch(simulation, schedule, 100_000);
    sampling.run(() -> LongStream.range(0, 200));
    long before = bean.getCurrentThreadAllocatedBytes();
    sampling.run(() -> LongStream.range(0, 200));
    return (double) (bean.getCurrentThreadAllocatedBytes() - before) / sampling.steps;
  }
}
