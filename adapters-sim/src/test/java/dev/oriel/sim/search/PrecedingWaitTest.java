package dev.oriel.sim.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.machine.settings.DetectorSet;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.replay.TimeoutPolicy;
import dev.oriel.sim.trace.PrecedingWait;
import dev.oriel.sim.trace.TraceRecording;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Two buffers with credits, from rank 0 to rank 1, and the mistakes that are usual in such code.
 */
class PrecedingWaitTest {
  private static final String TEXT =
      """
      form double_buffer
      input src[512]
      output dst[512]
      window buf[128]
      signal full[1]
      signal empty[1]
      lane producer: sm(128) {
        state sent
        if r == 0 {
          for i < 8 {
            await empty[0]@1 reached sent - 1 acquire
            put buf@1[sent % 2 * 64] <- src[i * 64] bytes 64
            fence
            set sent = sent + 1
            signal full[0]@1 set sent release
          }
        }
      }
      lane consumer: sm(128) {
        state taken
        if r == 1 {
          for i < 8 {
            await full[0]@0 reached taken + 1 acquire
            move dst[i * 64] <- buf[taken % 2 * 64] bytes 64
            set taken = taken + 1
            signal empty[0]@0 set taken release
          }
        }
      }
      """;

  private static final String FINISHED =
      "rank=1, lane=consumer waits in line 23 (launch 1, i=0) before line 24 (launch 1, i=0): it"
          + " read full[0]@0=1, which rank=0, lane=producer wrote in line ";

  private static List<String> waits(String text, String world) {
    Topology topology = Topology.parse(world);
    Program program = Program.bind(FormParser.parse(text), topology.world(), Map.of());
    ExecutionSettings settings =
        new ExecutionSettings(Profile.L2, 3, DetectorSet.ALL, TimeoutPolicy.NEVER);
    CheckReport report =
        new Checker(Strategy.PORTFOLIO, new Budget(8, 20_000, 200_000, 200_000_000), 1, settings)
            .explore(program, topology);
    TraceRecording recording = report.found().orElseThrow().recording();
    return PrecedingWait.of(recording).stream().map(wait -> wait.sentence(recording)).toList();
  }

  private static String change(String old, String changed) {
    assertThat(TEXT).contains(old);
    return TEXT.replace(old, changed);
  }

  @Test
  void aMissingCreditIsALaneThatWaitsForNothing() {
    assertThat(waits(change("await empty[0]@1 reached sent - 1 acquire", "let none = 0"), "1x2"))
        .first()
        .asString()
        .matches("rank=0, lane=producer waits for nothing before line 12 \\(launch \\d, i=\\d\\)");
  }

  @Test
  void aSignalBeforeItsDataIsNamed() {
    String early =
        change("      put buf@1[sent % 2 * 64] <- src[i * 64] bytes 64\n      fence\n", "")
            .replace(
                "set sent release\n",
                "set sent release\n      put buf@1[(sent - 1) % 2 * 64] <- src[i * 64] bytes 64\n");
    assertThat(waits(early, "1x2")).hasSize(2).last().asString().contains("before its access in");
  }

  @Test
  void aWaitThatIsSatisfiedFromTheBeginningSaysSo() {
    assertThat(waits(change("reached taken + 1", "reached taken"), "1x2"))
        .last()
        .asString()
        .startsWith("rank=1, lane=consumer waits in line 23 ")
        .endsWith(": it read full[0]@0=0, the initial value");
  }

  /** The wait is right, and the order is missing: the other lane's waits would only distract. */
  @Test
  void aPutThatTheSignalDoesNotCoverHasOneWait() {
    assertThat(waits(change("      fence\n", ""), "2x1"))
        .containsExactly(
            FINISHED.replace("line 23", "line 22").replace("line 24", "line 23")
                + "14 (launch 1, i=0)");
  }

  /** What a lane learns by a load is no wait: then nothing is said of waits. */
  @Test
  void aLaneThatPollsByLoadsIsNotSaidToWaitForNothing() {
    String polls =
        """
        form polls
        window word[8]
        window data[8]
        lane main: sm(32) {
          if r == 0 { store data[0] <- 1 store word[0] <- 1 relaxed }
          if r == 0 { put word@1[0] <- word[0] bytes 8 }
          if r == 1 { load x <- word[0] acquire put data@0[0] <- word[0] bytes 8 }
        }
        """;
    assertThat(waits(polls, "1x2")).noneMatch(wait -> wait.contains("rank=1, lane=main waits for"));
  }

  @Test
  void theCallerIsOrderedByTheWaitsOfItsRank() {
    String relaxed =
        """
        form relaxed
        input in[8]
        output out[8]
        signal READY[1]
        signal DATA[1]
        lane main: sm(32) {
          signal READY[0]@(1 - r) set epoch release
          await READY[0]@(1 - r) reached epoch acquire
          move out@(1 - r)[0] <- in[0] bytes 8
          signal DATA[0]@(1 - r) set epoch relaxed
          await DATA[0]@(1 - r) reached epoch acquire
        }
        """;
    assertThat(waits(relaxed, "1x2"))
        .containsExactly(
            "rank=0, lane=main waits in line 11 (launch 1) before the caller continues: it read"
                + " DATA[0]@1=1, which rank=1, lane=main wrote in line 10 (launch 1)");
  }

  @Test
  void noOtherFindingHasWaits() {
    String stuck = change("reached sent - 1", "reached sent + 1");
    assertThat(waits(stuck, "1x2")).isEmpty();
  }
}
