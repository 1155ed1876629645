package dev.oriel.sim.ranks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.oriel.domain.measure.Sampled;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.window.DataSizes;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.Verdict;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.search.Strategy;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Correct code passes under every strategy and memory layer. */
class RankCodeExplorationTest {

  private static RankCodeExploration exploration(String shape, RankCode code) {
    return RankCodeExploration.of(
        "code", CorrectRankCode.WINDOW, Topology.parse(shape), Thread::startVirtualThread, code);
  }

  private static void holds(String shape, RankCode code) {
    for (Profile profile : List.of(Profile.L0, Profile.L1, Profile.L2, Profile.L3)) {
      Verdict verdict = exploration(shape, code).withProfile(profile).check().verdict();
      assertThat(verdict.violation()).as(profile.name()).isEmpty();
      assertThat(verdict.bounds()).as(profile.name()).isEmpty();
      assertThat(verdict.executions()).isGreaterThan(100);
    }
  }

  @ParameterizedTest
  @CsvSource({"1x2", "2x1"})
  void aMessageArrives(String shape) {
    holds(shape, CorrectRankCode.message());
  }

  @ParameterizedTest
  @CsvSource({"1x3,3", "3x1,3", "2x2,4"})
  void aRingGathers(String shape, int world) {
    holds(shape, CorrectRankCode.ring(world));
  }

  @ParameterizedTest
  @CsvSource({"1x2,2", "2x1,2", "2x2,4"})
  @Sampled(every = 3)
  void barriersOrderAnExchange(String shape, int world) {
    holds(shape, CorrectRankCode.exchange(world));
  }

  @ParameterizedTest
  @CsvSource({"1x2,L2", "2x1,L2", "2x1,L3"})
  void everyOrderOfEveryStepIsTried(String shape, String profile) {
    Verdict verdict =
        exploration(shape, CorrectRankCode.message())
            .withProfile(Profile.parse(profile))
            .withStrategy(Strategy.FULL)
            .check()
            .verdict();
    assertThat(verdict.violation()).isEmpty();
    assertThat(verdict.bounds()).isEmpty();
    assertThat(verdict.states()).isGreaterThan(20);
  }

  @Test
  void sizesForAnotherWorldAreRejected() {
    assertThatExceptionOfType(MachineException.class)
        .isThrownBy(() ->
            RankCodeExploration.of(
                "code",
                CorrectRankCode.WINDOW.withData(DataSizes.perRank(1, 2, 3)),
                Topology.parse("1x2"),
                Thread::startVirtualThread,
                CorrectRankCode.message()))
        .withMessageContaining("world=2");
  }
}
