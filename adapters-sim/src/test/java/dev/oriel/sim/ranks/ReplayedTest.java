package dev.oriel.sim.ranks;

import static dev.oriel.sim.ranks.CorrectRankCode.LONG;
import static dev.oriel.sim.ranks.CorrectRankCode.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.window.Comparison;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.replay.ReplayException;
import dev.oriel.sim.replay.ReplayToken;
import dev.oriel.sim.replay.TimeoutPolicy;
import dev.oriel.sim.search.Budget;
import dev.oriel.sim.search.CheckReport;
import dev.oriel.sim.search.Strategy;
import dev.oriel.sim.search.TokenReplay;
import dev.oriel.sim.trace.InterleavingTable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ReplayedTest {
  /** Fails only if rank 1 polls between two signals. */
  private static final RankCode UNLUCKY =
      (window, rank) -> {
        if (rank == 0) {
          window.write(0, bytes(0));
          window.put(1, 8, 0, 8);
          window.signal(1, 0, 1);
          window.signal(1, 0, 1);
        } else if (rank == 1) {
          assertThat(window.signalValue(0, 0)).isNotEqualTo(1);
          window.await(0, 0, Comparison.GE, 2, LONG);
          window.read(8, 8);
        }
      };

  private static RankCodeExploration exploration(String name, RankCode code) {
    return RankCodeExploration.of(
            name, CorrectRankCode.WINDOW, Topology.parse("3x1"), Thread::startVirtualThread, code)
        .withBudget(new Budget(500, 20_000, 10_000, 50_000_000));
  }

  @ParameterizedTest
  @EnumSource(
      value = Strategy.class,
      names = {"RANDOM", "PCT", "POS", "SYNCHRONISATION", "FULL", "PORTFOLIO"})
  void aTokenRepeatsTheExecution(Strategy strategy) {
    RankCodeExploration exploration = exploration("unlucky", UNLUCKY).withStrategy(strategy);
    CheckReport.Found found = exploration.check().found().orElseThrow();
    ReplayToken token = ReplayToken.parse(found.token().orElseThrow().toString());
    TokenReplay.ReplayedExecution first = exploration.replay(token);
    TokenReplay.ReplayedExecution second = exploration.replay(token);
    assertThat(first.finding().orElseThrow().kind().word()).isEqualTo("thrown");
    assertThat(first.recording().events()).isEqualTo(found.recording().events());
    assertThat(second.recording()).isEqualTo(first.recording());
    assertThat(new InterleavingTable().text(first.recording()))
        .contains("r0.main", "signalValue(0, 0) at ReplayedTest.java:");
  }

  @Test
  void aTokenBelongsToOneCodeAndOneWindow() {
    RankCodeExploration exploration = exploration("unlucky", UNLUCKY);
    ReplayToken token = exploration.check().found().orElseThrow().token().orElseThrow();
    assertThatExceptionOfType(ReplayException.class)
        .isThrownBy(() -> exploration("other", UNLUCKY).replay(token))
        .withMessageContaining("token of another program");
    RankCodeExploration larger =
        RankCodeExploration.of(
            "unlucky",
            CorrectRankCode.WINDOW.withSignals(5),
            Topology.parse("3x1"),
            Thread::startVirtualThread,
            UNLUCKY);
    assertThatExceptionOfType(ReplayException.class)
        .isThrownBy(() -> larger.replay(token))
        .withMessageContaining("token of another program");
  }

  @Test
  void shrinkingShortensTheSchedule() {
    RankCodeExploration exploration = exploration("unlucky", UNLUCKY).withStrategy(Strategy.RANDOM);
    ReplayToken token = exploration.check().found().orElseThrow().token().orElseThrow();
    ReplayToken small = exploration.shrink(token);
    assertThat(small.choices().deviations().size()).isLessThan(token.choices().deviations().size());
    assertThat(exploration.replay(small).finding().orElseThrow().kind().word()).isEqualTo("thrown");
  }

  @Test
  void aTokenRepeatsTimeoutsAndLayers() {
    RankCodeExploration exploration =
        exploration("hasty", CorrectRankCode.ring(3))
            .withTimeouts(TimeoutPolicy.ANY)
            .withProfile(Profile.L3)
            .withStrategy(Strategy.RANDOM);
    CheckReport.Found found = exploration.check().found().orElseThrow();
    TokenReplay.ReplayedExecution played = exploration.replay(found.token().orElseThrow());
    assertThat(played.finding().orElseThrow().message()).contains("TimeoutException");
    assertThat(played.recording().events()).isEqualTo(found.recording().events());
  }

  /** An unmatched wait. */
  private static final RankCode LONELY =
      (window, rank) -> {
        if (rank == 1) {
          window.await(0, 0, Comparison.GE, 1, LONG);
        }
      };

  /** A token holds the timeouts; the replaying exploration does not change them. */
  @ParameterizedTest
  @CsvSource({"NEVER, deadlock", "QUIESCENCE, thrown", "ANY, thrown"})
  void aTokenKeepsItsTimeouts(TimeoutPolicy timeouts, String kind) {
    RankCodeExploration exploration = exploration("lonely", LONELY);
    CheckReport report = exploration.withTimeouts(timeouts).check();
    assertThat(report.verdict().model()).contains("timeouts=" + timeouts.spelling());
    CheckReport.Found found = report.found().orElseThrow();
    String line = found.token().orElseThrow().toString();
    assertThat(line).contains(":" + timeouts.spelling() + ":");
    for (TimeoutPolicy other : TimeoutPolicy.values()) {
      TokenReplay.ReplayedExecution played =
          exploration.withTimeouts(other).replay(ReplayToken.parse(line));
      assertThat(played.finding().orElseThrow().kind().word()).as(other.spelling()).isEqualTo(kind);
      assertThat(played.recording().events()).isEqualTo(found.recording().events());
      String altered = line.replace(timeouts.spelling(), other.spelling());
      if (other != timeouts) {
        assertThatExceptionOfType(ReplayException.class)
            .isThrownBy(() -> ReplayToken.parse(altered))
            .withMessageContaining("altered token");
      }
    }
  }
}
