package dev.oriel.sim.ranks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.window.Comparison;
import dev.oriel.ports.Verdict;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.replay.FaultPlan;
import dev.oriel.sim.replay.TimeoutPolicy;
import dev.oriel.sim.search.CheckReport;
import dev.oriel.sim.search.Strategy;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rank code whose requests a proxy posts. */
class ProxiedRanksTest {
  private static final Duration SOON = Duration.ofMillis(1);

  private static RankCodeExploration exploration(String profile, RankCode code) {
    return RankCodeExploration.of(
            "proxied",
            CorrectRankCode.WINDOW,
            Topology.parse("2x1"),
            Thread::startVirtualThread,
            code)
        .withProfile(Profile.parse(profile));
  }

  /** Rank 0 puts, and overwrites the source once the put is complete. */
  private static RankCode reuses(boolean flushes) {
    return (window, rank) -> {
      if (rank == 0) {
        window.write(0, CorrectRankCode.bytes(0));
        window.put(1, 8, 0, 8);
        if (flushes) {
          window.flush(1, CorrectRankCode.LONG);
        }
        window.write(0, CorrectRankCode.bytes(5));
        window.signal(1, 0, 1);
      } else {
        window.await(0, 0, Comparison.GE, 1, CorrectRankCode.LONG);
        assertThat(window.read(8, 8)).isEqualTo(CorrectRankCode.bytes(0));
      }
    };
  }

  @ParameterizedTest
  @ValueSource(strings = {"L1,proxy=1", "L2,proxy=1", "L3,proxy=1", "L2,proxy=1,depth=1"})
  void aSourceIsReusableOnceTheProxyReportsCompletion(String profile) {
    RankCodeExploration right = exploration(profile, reuses(true)).withStrategy(Strategy.PORTFOLIO);
    assertThat(right.check().verdict().violation().map(Verdict.Violation::message)).isEmpty();
  }

  @Test
  void aSourceIsNotReusableEarlier() {
    CheckReport report = exploration("L2,proxy=1", reuses(false)).check();
    assertThat(report.verdict().violation().orElseThrow().kind()).isEqualTo("race");
    assertThat(report.verdict().model()).contains("L2,proxy=1");
    var token = report.found().orElseThrow().token().orElseThrow();
    assertThat(exploration("L2,proxy=1", reuses(false)).replay(token).finding()).isPresent();
  }

  @Test
  void aFlushTimesOutIfTheProxyCrashed() {
    Set<String> ends = new ConcurrentSkipListSet<>();
    RankCode code =
        (window, rank) -> {
          if (rank == 0) {
            window.put(1, 8, 0, 8);
            try {
              window.flush(1, SOON);
              ends.add("flushed");
            } catch (TimeoutException e) {
              ends.add("timed out");
            }
          }
        };
    RankCodeExploration alive =
        exploration("L2,proxy=1", code).withTimeouts(TimeoutPolicy.QUIESCENCE);
    assertThat(alive.check().verdict().violation().map(Verdict.Violation::message)).isEmpty();
    assertThat(ends).containsExactly("flushed");
    ends.clear();
    RankCodeExploration dead = alive.withFaults(FaultPlan.parse("proxy-crash rank=0 after=1"));
    assertThat(dead.check().verdict().violation().map(Verdict.Violation::message)).isEmpty();
    assertThat(ends).containsExactly("timed out");
  }

  @Test
  void aFaultOfAMissingProxyIsRejected() {
    RankCodeExploration none =
        exploration("L2", reuses(true)).withFaults(FaultPlan.parse("proxy-crash rank=0 after=1"));
    assertThatExceptionOfType(RuntimeException.class)
        .isThrownBy(none::check)
        .withMessageContaining("no proxy");
  }
}
