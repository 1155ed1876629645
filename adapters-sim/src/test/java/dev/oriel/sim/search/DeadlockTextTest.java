package dev.oriel.sim.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.machine.finding.ExecutionRecord;
import dev.oriel.sim.machine.settings.DetectorSet;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.replay.FaultPlan;
import dev.oriel.sim.replay.TimeoutPolicy;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A deadlock's message about waiting lanes, lanes that have ended, and holders of locks. */
class DeadlockTextTest {
  private static final String EACH_HAS_ONE =
      """
      form each_has_one
      scratch place[8]
      signal MINE[1]
      lane main: sm(32) {
        lock place@r[0]
        signal MINE[0]@(1 - r) set 1 release
        await MINE[0]@(1 - r) reached 1 acquire
        lock place@(1 - r)[0]
        unlock place@(1 - r)[0]
        unlock place@r[0]
      }
      """;

  private static String found(String text, String shape, String faults, int launches) {
    Topology topology = Topology.parse(shape);
    ExecutionSettings settings =
        new ExecutionSettings(Profile.L1, launches, DetectorSet.ALL, TimeoutPolicy.NEVER)
            .with(FaultPlan.parse(faults));
    Program program = Program.bind(FormParser.parse(text), topology.world(), Map.of());
    return new Checker(Strategy.SYNCHRONISATION, Budget.DEFAULT, 1, settings)
        .check(program, topology)
        .violation()
        .map(v -> v.kind() + ": " + v.message())
        .orElse("nothing");
  }

  @ParameterizedTest
  @CsvSource({"1x2", "2x1"})
  void aWaitForALockNamesItsHolder(String shape) {
    assertThat(found(EACH_HAS_ONE, shape, "none", 1))
        .startsWith("deadlock")
        .contains("held by rank=1, lane=main, which still waits")
        .contains("held by rank=0, lane=main, which still waits")
        .contains(
            "cycle: rank=0, lane=main waits for rank=1, lane=main waits for rank=0, lane=main");
  }

  /** The awaited value came, and a reset replaced it. */
  @Test
  void aResetThatSwallowedTheValueIsNamed() {
    String text =
        """
        form swallowed
        scratch word[8]
        signal GO[1]
        lane main: sm(32) {
          if r == 0 {
            store word[0] <- 1 release
            store word[0] <- 0 release
            signal GO[0]@r set 1 release
            await GO[0]@r == 1 acquire
            wait word[0] == 1 acquire
          }
        }
        """;
    assertThat(found(text, "1x2", "none", 1))
        .startsWith("deadlock")
        .contains(
            "value=1 came, but rank=0, lane=main overwrote it with 0 (later in coherence order) before this lane saw it");
    String once = text.replace("  store word[0] <- 0 release\n", "");
    assertThat(found(once, "1x2", "none", 1)).isEqualTo("nothing");
    String never = text.replace("word[0] <- 1", "word[0] <- 2");
    assertThat(found(never, "1x2", "none", 1)).startsWith("deadlock").doesNotContain("came");
  }

  /** The message names the last launch, not the first, in which the rank timed out. */
  @Test
  void anAbortedRankIsNamedAsASenderThatEnded() {
    String text =
        """
        form told
        signal S[1]
        lane main: sm(32) {
          signal S[0]@(1 - r) set epoch release
          await S[0]@(1 - r) reached epoch acquire
        }
        """;
    assertThat(found(text, "1x2", "abort rank=1 after=0", 3))
        .startsWith("deadlock")
        .contains("set epoch release', ended without sending it");
  }

  @ParameterizedTest
  @CsvSource({"1x2", "2x1"})
  void theHolderOfALockMayHaveEnded(String shape) {
    String text =
        """
        form kept
        scratch place[8]
        signal MINE[1]
        lane main: sm(32) {
          lock place@r[0]
          signal MINE[0]@(1 - r) set 1 release
          await MINE[0]@(1 - r) reached 1 acquire
          if r == 0 { lock place@1[0] }
        }
        """;
    assertThat(found(text, shape, "none", 1))
        .startsWith("deadlock")
        .contains("held by rank=1, lane=main, which ended launch=1 without unlocking it")
        .doesNotContain("cycle");
  }

  @Test
  void theMessageNamesTheLaunchThatEnded() {
    String text =
        """
        form silent
        signal S[1]
        lane main: sm(32) {
          if r == 0 {
            if epoch == 9 { signal S[0]@1 set 1 release }
          }
          if r == 1 { await S[0]@0 reached 1 acquire }
        }
        """;
    assertThat(found(text, "1x2", "none", 1)).contains("ended launch=1 without sending it");
    assertThat(found(text, "1x2", "none", 2)).contains("ended launch=2 without sending it");
  }

  @Test
  void aCrashedRankIsNotReportedAsWaiting() {
    String text =
        """
        form crashed
        signal S[1]
        lane main: sm(32) {
          if r == 0 { await S[0]@1 reached 1 acquire }
          if r == 1 { signal S[0]@0 set 1 release }
        }
        """;
    assertThat(found(text, "1x2", "crash rank=1 after=1", 1))
        .startsWith("deadlock")
        .contains("rank=1, lane=main, launch=1 has stopped, since its rank crashed")
        .contains("crashed in launch=1")
        .doesNotContain("rank=1, lane=main, launch=1 waits");
  }

  @Test
  void theMessageQuotesTheTextAndItsPlace() {
    String text =
        """
        form spelled
        scratch w[16]
        signal S[1]
        lane main: sm(32) {
          read seen <- S[0]@r relaxed
          store w[8] <- 7 relaxed
          if r == 1 { atomic w[0] set 1 }
          wait w[0] reached 1 acquire
        }
        """;
    Program program = Program.bind(FormParser.parse(text), 2, Map.of());
    CheckReport.Found found =
        new Checker(Strategy.FIFO, Budget.DEFAULT, 1, Checker.strict(Profile.L2, 1))
            .explore(program, Topology.parse("1x2"))
            .found()
            .orElseThrow();
    assertThat(found.places()).containsExactly(new ExecutionRecord.Place(0, "main", "main", 4));
    assertThat(found.recording().failure().orElseThrow().message())
        .contains("rank=0, lane=main, launch=1 waits in 'wait w[0] reached 1 acquire' for");
    assertThat(found.recording().events().stream().map(event -> event.facts().operation()))
        .contains(
            "read seen <- S[0]@r relaxed",
            "store w[8] <- 7 relaxed",
            "atomic w[0] set 1",
            "wait w[0] reached 1 acquire");
  }

  @Test
  void aLaneThatHasSentIsNotNamedInACycle() {
    String text =
        """
        form once
        scratch arrived[8]
        lane main: sm(32) {
          atomic arrived@((r + 1) % n)[0] add 1
          wait arrived[0] >= 4 acquire
        }
        """;
    assertThat(found(text, "1x2", "none", 1))
        .contains("which has 'atomic arrived@((r + 1) % n)[0] add 1', is past that and waits")
        .doesNotContain("cycle");
  }

  /** The message does not name senders to other words of the buffer, or to other ranks. */
  @ParameterizedTest
  @CsvSource({"1x3", "3x1"})
  void sendersToOtherWordsAreNotNamed(String shape) {
    String text =
        """
        form astray
        scratch flag[8 * n]
        lane main: sm(32) {
          atomic flag@((r + 2) % n)[8 * r] set epoch
          wait flag[8 * ((r - 1) % n)] reached epoch acquire
        }
        """;
    assertThat(found(text, shape, "none", 1))
        .contains(
            "for buffer=flag, owner=0, byte=16: wanted=reached 1, seen=nothing, no rank has an"
                + " operation that sends it, it was sent to buffer=flag, owner=0, byte=8, value=1"
                + " and buffer=flag, owner=1, byte=16, value=1;")
        .doesNotContain("cycle");
  }

  @Test
  void aWriteToAnotherWordIsReported() {
    String text =
        """
        form beside
        scratch flag[16]
        lane main: sm(32) {
          store flag[8] <- 1 release
          wait flag[0] == 1 acquire
        }
        """;
    assertThat(found(text, "1x2", "none", 1))
        .contains("owner=1, byte=0: wanted=eq 1, seen=nothing, no rank has an operation that")
        .contains("it was sent to buffer=flag, owner=1, byte=8, value=1;");
  }

  @ParameterizedTest
  @CsvSource({"1x3", "3x1"})
  void aCycleNamesOnlySendersOfTheAwaitedWord(String shape) {
    String text =
        """
        form round
        scratch flag[8]
        lane main: sm(32) {
          wait flag[0] reached epoch acquire
          atomic flag@((r + 1) % n)[0] add 1
        }
        """;
    assertThat(found(text, shape, "none", 1))
        .contains(
            "cycle: rank=0, lane=main waits for rank=2, lane=main waits for rank=1, lane=main"
                + " waits for rank=0, lane=main;")
        .containsPattern("owner=0, byte=0: [^;]*rank=2, lane=main, which has")
        .doesNotContainPattern("owner=0, byte=0: [^;]*rank=1");
  }

  @Test
  void aCycleNamesTheLaneThatSendsTheIndex() {
    String text =
        """
        form crossed
        signal A[2]
        lane first: sm(32) {
          await A[0]@((r - 1) % n) reached epoch acquire
          signal A[1]@((r + 1) % n) set epoch release
        }
        lane second: sm(32) {
          await A[1]@((r - 1) % n) reached epoch acquire
          signal A[0]@((r + 1) % n) set epoch release
        }
        """;
    assertThat(found(text, "1x2", "none", 1))
        .contains("cycle: rank=0, lane=first waits for rank=1, lane=second waits for rank=0");
  }

  /** For a sum, the message names the sources with the lowest values only. */
  @Test
  void aSumNamesTheMissingSource() {
    String text =
        """
        form short
        signal DONE[1]
        lane main: sm(32) {
          if r != 2 { signal DONE[0]@0 add 1 release }
          if r == 2 { if epoch == 9 { signal DONE[0]@0 add 1 release } }
          if r == 0 { await sum DONE[0]@all reached epoch * n acquire }
        }
        """;
    assertThat(found(text, "1x4", "none", 1))
        .contains(
            "for a sum: wanted=reached 4, seen=3, of which signal=DONE[0], owner=0, source=2:"
                + " seen=nothing, rank=2, lane=main, which has")
        .doesNotContain("source=1");
  }

  @Test
  void everyWaitingLaneHasALine() {
    assertThat(found(EACH_HAS_ONE, "1x2", "none", 1).lines())
        .hasSize(5)
        .anyMatch(line -> line.startsWith("rank=1, lane=main, launch=1 waits in 'lock"));
  }
}
