package dev.oriel.sim.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.contract.ShippedPrograms;
import dev.oriel.sim.machine.settings.DetectorSet;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.replay.FaultPlan;
import dev.oriel.sim.replay.ReplayException;
import dev.oriel.sim.replay.TimeoutPolicy;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InjectedFaultsTest {
  private static final int RANKS = 3;
  private static final Profile PROXY = Profile.parse("L2,proxy=1");

  private static String found(
      Strategy strategy, String faults, TimeoutPolicy timeouts, String shape) {
    return found(Profile.L2, strategy, faults, timeouts, shape);
  }

  private static String found(
      Profile profile, Strategy strategy, String faults, TimeoutPolicy timeouts, String shape) {
    Topology topology = Topology.parse(shape);
    Program program =
        Program.bind(ShippedPrograms.form("ring_all_gather"), topology.world(), Map.of("B", 8L));
    ExecutionSettings settings =
        new ExecutionSettings(profile, 2, DetectorSet.ALL, timeouts).with(FaultPlan.parse(faults));
    return new Checker(strategy, Budget.DEFAULT, 1, settings)
        .check(program, topology)
        .violation()
        .map(v -> v.kind() + ": " + v.message())
        .orElse("nothing");
  }

  @Test
  void everyLaunchEndsWithinItsTimeoutsAfterAnyCrash() {
    for (int rank = 0; rank < RANKS; rank++) {
      for (int after = 0; after < 30; after++) {
        String crash = "crash rank=%d after=%d".formatted(rank, after);
        for (String shape : new String[] {"3x1", "1x3"}) {
          assertThat(found(Strategy.RANDOM, crash, TimeoutPolicy.QUIESCENCE, shape))
              .as("%s %s", crash, shape)
              .isEqualTo("nothing");
        }
      }
    }
  }

  @Test
  void withoutTimeoutsACrashIsADeadlockOfTheWaitingRanks() {
    assertThat(found(Strategy.FIFO, "crash rank=1 after=2", TimeoutPolicy.NEVER, "3x1"))
        .startsWith("deadlock")
        .contains("rank=0")
        .contains("rank=2");
  }

  @ParameterizedTest
  @CsvSource({
    "abort rank=1 after=4, QUIESCENCE",
    "queue-error rank=1 peer=2 after=1, QUIESCENCE",
    "lose-completion rank=2 queue=0 after=1, QUIESCENCE",
    "straggle rank=1 by=9, NEVER",
    "delay rank=1 queue=0 after=1 by=20, NEVER",
    "lose-request rank=1 queue=0 after=1 by=20, NEVER",
    "flap rank=1 peer=2 after=1 by=20, NEVER",
    "degrade rank=0 peer=1 by=7, NEVER",
    "degrade rank=0 peer=1 by=1000; flap rank=2 peer=1 after=0 by=1000, NEVER",
    "abort rank=0 after=0, ANY"
  })
  void launchesWithOtherFaultsEndToo(String fault, TimeoutPolicy timeouts) {
    assertThat(found(Strategy.RANDOM, fault, timeouts, "3x1")).isEqualTo("nothing");
    assertThat(found(Strategy.PCT, fault, timeouts, "3x1")).isEqualTo("nothing");
  }

  /** Data takes one hop and its signal two, over other links, so the data usually arrives first. */
  private static final String HASTY =
      """
      form hasty
      input in[8]
      output out[8]
      signal READY[1]
      signal SENT[1]
      signal THERE[1]
      ensure out[0] = in@((r + 2) % n)[0] bytes 8

      lane main: sm(32) {
        let next = (r + 1) % n
        let last = (r + 2) % n
        signal READY[0]@last set epoch release
        await READY[0]@next reached epoch acquire
        move out@next[0] <- in[0] bytes 8
        signal SENT[0]@last set epoch release
        await SENT[0]@next reached epoch acquire
        signal THERE[0]@last set epoch release
        await THERE[0]@next reached epoch acquire
        flush @next local
      }
      """;

  private static String hasty(String faults) {
    return hasty(HASTY, faults);
  }

  /** In time order. */
  private static String hasty(String form, String faults) {
    Topology topology = Topology.parse("3x1");
    Program program = Program.bind(FormParser.parse(form), topology.world(), Map.of());
    ExecutionSettings settings =
        new ExecutionSettings(Profile.L2, 1, DetectorSet.VALUES, TimeoutPolicy.NEVER)
            .with(FaultPlan.parse(faults));
    return new Checker(Strategy.WINDOW, Budget.DEFAULT, 1, settings)
        .at(new WindowTiming(WindowTiming.DEFAULT.links(), WindowDelta.NONE))
        .check(program, topology)
        .violation()
        .map(v -> v.kind() + ": " + v.message())
        .orElse("nothing");
  }

  @Test
  void aSlowLinkExposesRelianceOnItsLatency() {
    assertThat(hasty("none")).isEqualTo("nothing");
    assertThat(hasty("degrade rank=0 peer=1 by=3")).isEqualTo("nothing");
    for (String slow :
        new String[] {
          "degrade rank=0 peer=1 by=500",
          "flap rank=1 peer=0 after=0 by=500",
          "lose-request rank=0 queue=0 after=0 by=500"
        }) {
      assertThat(hasty(slow)).as(slow).startsWith("value: wrong byte: rank=1");
    }
    assertThat(hasty("lose-request rank=0 queue=0 after=1 by=500")).isEqualTo("nothing");
  }

  /** Requests that a lane posts later do not delay its earlier data. */
  @Test
  void laterRequestsDoNotExtendADelay() {
    String busy =
        HASTY
            .replace("signal READY[1]", "scratch pad[8]\nsignal READY[1]")
            .replace(
                "signal SENT[0]@last set",
                "for t < 60 { put pad@next[0] <- in[0] bytes 8 nb }\nsignal SENT[0]@last set");
    for (String late :
        new String[] {
          "lose-request rank=0 queue=0 after=0 by=30",
          "flap rank=0 peer=1 after=0 by=30",
          "delay rank=0 queue=0 after=0 by=30"
        }) {
      assertThat(hasty(busy, late)).as(late).isEqualTo("nothing");
      String longer = late.replace("by=30", "by=900");
      assertThat(hasty(busy, longer)).as(longer).startsWith("value: wrong byte: rank=1");
    }
  }

  /** The weaker fault comes last in the order of plans. */
  @Test
  void allFaultsOfOnePlaceApply() {
    for (String slow :
        new String[] {
          "degrade rank=0 peer=1 by=500; degrade rank=1 peer=0 by=3",
          "flap rank=1 peer=0 after=0 by=500; flap rank=1 peer=0 after=7 by=3",
          "lose-request rank=0 queue=0 after=0 by=500; lose-request rank=0 queue=0 after=1 by=3"
        }) {
      assertThat(hasty(slow)).as(slow).startsWith("value: wrong byte: rank=1");
    }
    String crashes = "crash rank=1 after=2; crash rank=1 after=900";
    assertThat(found(Strategy.FIFO, crashes, TimeoutPolicy.NEVER, "3x1")).startsWith("deadlock");
  }

  @ParameterizedTest
  @CsvSource({
    "flap rank=0 peer=1 after=0 by=3, 1x3",
    "degrade rank=0 peer=1 by=3, 1x3",
    "queue-error rank=0 peer=1 after=0, 1x3",
    "queue-error rank=0 peer=2 after=0, 4x1"
  })
  void aFaultOfALinkWithoutQueuesIsRejected(String fault, String shape) {
    assertThatExceptionOfType(MachineException.class)
        .isThrownBy(() -> found(Strategy.FIFO, fault, TimeoutPolicy.NEVER, shape))
        .withMessageContaining("no such queue: rank=0, peer=");
  }

  @Test
  void aFaultOfALinkToTheSameRankIsRejected() {
    for (String fault :
        new String[] {"flap rank=1 peer=1 after=0 by=3", "degrade rank=1 peer=1 by=3"}) {
      assertThatExceptionOfType(ReplayException.class)
          .isThrownBy(() -> FaultPlan.parse(fault))
          .withMessageContaining("name two ranks");
    }
  }

  @Test
  void aFaultOfRegistrationsIsRejectedForPrograms() {
    String fault = "refuse-registration rank=1 after=2";
    assertThatExceptionOfType(ReplayException.class)
        .isThrownBy(() -> found(Strategy.FIFO, fault, TimeoutPolicy.NEVER, "3x1"))
        .withMessageContaining("nothing registers memory here: fault='" + fault + "'");
  }

  @Test
  void anAwaitedLostCompletionIsADeadlockWithoutTimeouts() {
    String lost = "lose-completion rank=2 queue=0 after=1";
    assertThat(found(Strategy.FIFO, lost, TimeoutPolicy.NEVER, "3x1"))
        .startsWith("deadlock")
        .contains("' for requests that are done, of which a completion was lost;");
  }

  @ParameterizedTest
  @CsvSource({
    "proxy-crash rank=1 after=0, QUIESCENCE",
    "proxy-crash rank=1 after=1, QUIESCENCE",
    "proxy-crash rank=1 after=5, QUIESCENCE",
    "proxy-straggle rank=1 by=9, NEVER"
  })
  void launchesWithProxyFaultsEndWithinTheirTimeouts(String fault, TimeoutPolicy timeouts) {
    assertThat(found(PROXY, Strategy.RANDOM, fault, timeouts, "3x1")).isEqualTo("nothing");
    assertThat(found(PROXY, Strategy.PCT, fault, timeouts, "3x1")).isEqualTo("nothing");
  }

  @Test
  void aDeadlockNamesTheCrashedProxy() {
    String crash = "proxy-crash rank=1 after=1";
    assertThat(found(PROXY, Strategy.FIFO, crash, TimeoutPolicy.NEVER, "3x1"))
        .startsWith("deadlock")
        .contains("the proxy of rank=1 has stopped, with these posts unserved: '")
        .contains("which the proxy of rank=1 died without handing on")
        .doesNotContain("is past that and waits");
  }

  @Test
  void aProxyFaultWithoutProxiesIsRejected() {
    String crash = "proxy-crash rank=1 after=1";
    assertThatExceptionOfType(MachineException.class)
        .isThrownBy(() -> found(Strategy.FIFO, crash, TimeoutPolicy.NEVER, "3x1"))
        .withMessageContaining("proxy=1");
  }

  @Test
  void timeoutsAloneViolateNoPostCondition() {
    assertThat(found(Strategy.RANDOM, "none", TimeoutPolicy.ANY, "1x2")).isEqualTo("nothing");
    assertThat(found(Strategy.RANDOM, "none", TimeoutPolicy.ANY, "2x1")).isEqualTo("nothing");
  }

  @Test
  void aFaultOfAnUnknownRankIsRejected() {
    assertThatExceptionOfType(ReplayException.class)
        .isThrownBy(() -> found(Strategy.FIFO, "crash rank=7 after=1", TimeoutPolicy.NEVER, "1x3"))
        .withMessageContaining("rank=7");
  }
}
