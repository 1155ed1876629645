package dev.oriel.it.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.msccl.PlanXml;
import dev.oriel.domain.mscclpp.ExecutionPlanJson;
import dev.oriel.it.Main;
import dev.oriel.it.options.ExitCodes;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code --graph-replay}: execution plans whose packet flag is that of a captured launch. */
class GraphReplayTest {
  @TempDir private Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int oriel(String... arguments) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return Main.run(arguments, new PrintWriter(out, true), new PrintWriter(err, true));
  }

  private String file(ExecutionPlanJson plan) throws IOException {
    return Files.writeString(folder.resolve("plan.json"), plan.text()).toString();
  }

  private String printed() {
    return out.toString().replaceAll("\\s+", " ");
  }

  /** GPU 0 sends packets to GPU 1, which says when it has read them. */
  private static ExecutionPlanJson broadcast() {
    return ExecutionPlanJson.of("broadcast", 2, 1, 1, 1).packets().outOfPlace();
  }

  /** Packets alone show that they have arrived. */
  private static ExecutionPlanJson acknowledged() {
    return broadcast()
        .tb(0, "copy i0 > o0", "ppkt i0 > s0@1", "wait @1")
        .tb(1, "upkt s0 > o0", "nop", "signal @0");
  }

  @Test
  void packetsOfTheReplayBeforeAreAccepted() throws IOException {
    String path = file(acknowledged());
    assertThat(oriel("check", path)).as(err + "" + out).isEqualTo(ExitCodes.FINE);
    assertThat(printed()).contains("graphs that are replayed (--graph-replay)");
    assertThat(oriel("check", path, "--graph-replay", "1")).isEqualTo(ExitCodes.VIOLATION);
    assertThat(printed())
        .contains("program a_plan-chunk-1-graph-1", "VIOLATION", "launch=2", "--graph-replay 1");
    String token =
        out.toString().lines().filter(l -> l.startsWith("token")).findFirst().orElseThrow();
    assertThat(oriel("replay", token.substring(9), path, "--graph-replay", "1"))
        .isEqualTo(ExitCodes.VIOLATION);
    assertThat(oriel("replay", token.substring(9), path)).isEqualTo(ExitCodes.WRONG_USE);
  }

  /** Each launch of the graph replaces the packets of the other one. */
  @Test
  void twoLaunchesInAGraphRefreshEachOther() throws IOException {
    assertThat(oriel("check", file(acknowledged()), "--graph-replay", "2"))
        .as(out.toString())
        .isEqualTo(ExitCodes.FINE);
    assertThat(printed())
        .contains("graph of 2 launches, replayed: each replay passes the packet flags")
        .doesNotContain("graphs that are replayed");
    // Not where they take the halves of scratch in turns.
    String doubled = file(acknowledged().with("\"use_double_scratch_buffer\": true"));
    assertThat(oriel("check", doubled)).isEqualTo(ExitCodes.FINE);
    assertThat(oriel("check", doubled, "--graph-replay", "2")).isEqualTo(ExitCodes.VIOLATION);
    assertThat(printed()).contains("launch=3");
    assertThat(oriel("check", doubled, "--graph-replay", "4"))
        .as(out.toString())
        .isEqualTo(ExitCodes.FINE);
  }

  /** A signal orders the packets as well, so their flags decide nothing. */
  @Test
  void packetsThatSignalsOrderHoldInReplays() throws IOException {
    ExecutionPlanJson plan =
        broadcast()
            .tb(0, "copy i0 > o0", "ppkt i0 > s0@1", "nop", "signal @1", "wait @1")
            .tb(1, "wait @0", "nop", "upkt s0 > o0", "nop", "signal @0");
    assertThat(oriel("check", file(plan), "--graph-replay", "1"))
        .as(out.toString())
        .isEqualTo(ExitCodes.FINE);
  }

  @Test
  void signalsCountInReplaysAsInLaunches() throws IOException {
    String path = file(ExecutionPlanJson.putAllGather());
    assertThat(oriel("check", path, "--graph-replay", "1")).isEqualTo(ExitCodes.FINE);
  }

  @Test
  void allPlansOfAFolderAreReplayed() throws IOException {
    file(acknowledged());
    assertThat(oriel("check", folder.toString(), "--graph-replay", "1"))
        .isEqualTo(ExitCodes.VIOLATION);
    assertThat(printed()).contains("broadcast, 2 gpus, LL, graph of 1 launch, replayed");
  }

  /** A barrier of the device separates launches; their flags are numbers of the host. */
  private static final String NUMBERED =
      """
      form numbered
      input in[8]
      output out[8]
      scratch box[8]
      signal FULL[1]
      barrier B
      ensure out[0] = in@((r - 1) % n)[0] bytes 8
      lane main: sm(32) {
        move box@((r + 1) % n)[0] <- in[0] bytes 8
        signal FULL[0]@((r + 1) % n) set epoch release
        await FULL[0]@((r - 1) % n) reached epoch acquire
        move out[0] <- box[0] bytes 8
        barrier B
      }
      """;

  private static final String RESET = "  signal FULL[0]@((r + 1) % n) set 0 release\n";

  /** The same with more operations at the end of a launch. */
  private String numbered(String name, String end) throws IOException {
    String text = NUMBERED.replace("  barrier B\n}", "  barrier B\n" + end + "}");
    return Files.writeString(folder.resolve(name), text).toString();
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "2", "1,eager", "3,eager"})
  void aNumberOfTheHostRepeats(String graph) throws IOException {
    String grows = numbered("grows.oriel", "");
    assertThat(oriel("check", grows, "--strict")).as(out.toString()).isEqualTo(ExitCodes.FINE);
    assertThat(oriel("check", grows, "--graph-replay", graph, "--no-shrink"))
        .as(out.toString())
        .isEqualTo(ExitCodes.VIOLATION);
    assertThat(printed()).contains("line=12, rank=", "lane=main waits in line 11 (launch");
  }

  /**
   * A flag that is 0 again after each launch: a barrier separates the reset from the next launch.
   */
  @ParameterizedTest
  @ValueSource(strings = {"1", "2", "1,eager", "3,eager"})
  void aFlagThatIsResetHolds(String graph) throws IOException {
    String reset = numbered("reset.oriel", RESET + "  barrier B\n");
    assertThat(oriel("check", reset, "--graph-replay", graph, "--strict"))
        .as("%s %s", out, err)
        .isEqualTo(ExitCodes.FINE);
    String early = numbered("early.oriel", RESET);
    assertThat(oriel("check", early, "--graph-replay", graph))
        .as(out.toString())
        .isEqualTo(ExitCodes.VIOLATION);
  }

  /** A replay after a later number finds that number's flag; among replays alone there is none. */
  @Test
  void anEagerLaunchBetweenReplays() throws IOException {
    String before = RESET.replace("set 0", "set epoch - 1") + "  barrier B\n";
    String path = numbered("before.oriel", before);
    assertThat(oriel("check", path)).as(out.toString()).isEqualTo(ExitCodes.FINE);
    assertThat(oriel("check", path, "--graph-replay", "1"))
        .as(out.toString())
        .isEqualTo(ExitCodes.FINE);
    assertThat(oriel("check", path, "--graph-replay", "1,eager"))
        .as(out.toString())
        .isEqualTo(ExitCodes.VIOLATION);
    assertThat(oriel("check", path, "--graph-replay", "1,eager", "--launches", "2"))
        .isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains("give at least 3 launches");
  }

  @Test
  void aFolderReplaysItsTexts() throws IOException {
    numbered("grows.oriel", "");
    Files.writeString(
        folder.resolve("none.oriel"), "form none\nbarrier B\nlane main: sm(32) { barrier B }\n");
    assertThat(oriel("check", folder.toString())).isEqualTo(ExitCodes.FINE);
    assertThat(oriel("check", folder.toString(), "--graph-replay", "1,eager"))
        .isEqualTo(ExitCodes.VIOLATION);
    assertThat(printed()).contains("numbered-graph-1-eager, line");
  }

  @Test
  void wrongGraphsAreNamed() throws IOException {
    for (String value : List.of("0", "9", "1,lazy", "eager", "99999", "1,")) {
      assertThat(oriel("check", "allgather", "--graph-replay", value))
          .isEqualTo(ExitCodes.WRONG_USE);
      assertThat(err.toString()).contains("value=" + value + ", min=1, max=8");
    }
    assertThat(oriel("check", file(acknowledged()), "--graph-replay", "1,eager"))
        .isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString())
        .contains("eager launches of a plan: option=--graph-replay, value=1,eager");
  }

  @Test
  void otherPlansHaveNoFlagOfTheHost() throws IOException {
    Path xml = Files.writeString(folder.resolve("a.xml"), PlanXml.ringAllGather(2).text());
    assertThat(oriel("check", xml.toString(), "--graph-replay", "1"))
        .isEqualTo(ExitCodes.WRONG_USE);
    String path = file(acknowledged());
    assertThat(oriel("check", path, "--graph-replay", "9")).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains("value=9, min=1, max=8");
    assertThat(oriel("check", path, "--graph-replay", "2", "--launches", "2"))
        .isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains("give at least 3 launches");
  }
}
