package dev.oriel.sim.ranks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.machine.Profile;
import dev.oriel.sim.search.Report;
import dev.oriel.sim.search.Strategy;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExplorationTest {

  private static void holds(String shape, RankCode code, Strategy... strategies) {
    Topology topology = Topology.parse(shape);
    for (Profile profile : List.of(Profile.L0, Profile.L1, Profile.L2, Profile.L3)) {
      for (Strategy strategy : strategies) {
        long t = System.nanoTime();
        Report report =
            Exploration.of("code", Codes.WINDOW, topology, Thread::startVirtualThread, code)
                .withProfile(profile)
                .withStrategy(strategy)
                .check();
        System.out.printf(
            "%s %s %s: exec=%d states=%d %.0f ms %s%n",
            shape,
            profile.name(),
            strategy,
            report.verdict().executions(),
            report.verdict().states(),
            (System.nanoTime() - t) / 1e6,
            report.verdict().bounds());
        assertThat(report.verdict().violation()).as(profile.name() + " " + strategy).isEmpty();
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"1x2", "2x1"})
  void aMessageArrives(String shape) {
    holds(
        shape,
        Codes.message(),
        Strategy.FIFO,
        Strategy.RANDOM,
        Strategy.PCT,
        Strategy.POS,
        Strategy.SYNCHRONISATION,
        Strategy.FULL);
  }

  @ParameterizedTest
  @CsvSource({"1x3,3", "3x1,3", "2x2,4"})
  void aRingGathers(String shape, int world) {
    holds(shape, Codes.ring(world), Strategy.PORTFOLIO);
  }

  @ParameterizedTest
  @CsvSource({"1x2,2", "2x1,2", "2x2,4"})
  void barriersOrderAnExchange(String shape, int world) {
    holds(shape, Codes.exchange(world), Strategy.PORTFOLIO);
  }
}
