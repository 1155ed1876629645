package dev.oriel.sim.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.oriel.domain.binding.OutputCoverage;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.IndexSet;
import dev.oriel.domain.topology.RankFacts;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.replay.FaultPlan;
import dev.oriel.sim.replay.ReplayToken;
import dev.oriel.sim.replay.TimeoutPolicy;
import dev.oriel.sim.search.CheckReport;
import dev.oriel.sim.search.Strategy;
import dev.oriel.sim.search.TokenReplay;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(ExplorerExtension.class)
class ExplorerTest {

  private static Program bound(String text, int world) {
    return Program.bind(FormParser.parse(text), world, Map.of("B", 100L));
  }

  @Test
  void aProgramThatHoldsReportsWhatWasExplored(Explorer explorer) {
    CheckReport report =
        explorer.assertThatHolds(bound(ReplayTexts.HANDSHAKE, 3), Topology.parse("1x3"));
    assertThat(report.verdict().executions()).isGreaterThan(1);
    assertThat(explorer.pictures().toString()).endsWith("aProgramThatHoldsReportsWhatWasExplored");
  }

  /** A ring of four slots without credits is overrun in the fifth launch. */
  @Test
  void aMistakeOfALaterLaunchIsFound(Explorer explorer) {
    String ring =
        """
        form ring_without_credits
        scratch mine[8]
        scratch ring[32]
        signal DATA[1]
        lane main: sm(32) {
          let slot = 8 * (epoch % 4)
          if r == 0 {
            move ring@1[slot] <- mine[0] bytes 8
            signal DATA[0]@1 set epoch release
          } else {
            await DATA[0]@0 reached epoch acquire
            load x <- ring[slot]
          }
        }
        """;
    Program program = Program.bind(FormParser.parse(ring), 2, Map.of());
    Topology topology = Topology.parse("1x2");
    assertThatThrownBy(() -> explorer.assertThatHolds(program, topology))
        .isInstanceOf(ProtocolError.class)
        .hasMessageContaining("race: buffer=ring");
    CheckReport few = explorer.withLaunches(3).assertThatHolds(program, topology);
    assertThat(few.verdict().launches()).isEqualTo(3);
    assertThat(few.anyLaunches()).isEmpty();
  }

  /** Later launches that are only drawn, a promise of a part, and a limit are each left open. */
  @Test
  void coveringFailsWhereSomethingIsLeftOpen() {
    Topology topology = Topology.parse("1x2");
    Explorer covering = Explorer.standard().covering();
    Program whole = bound(ReplayTexts.HANDSHAKE, 2);
    assertThat(covering.assertThatHolds(whole, topology).uncovered(whole)).isEmpty();
    Program half =
        bound(ReplayTexts.HANDSHAKE.replaceAll("(ensure .*) bytes B\n", "$1 bytes B / 2\n"), 2);
    assertThatThrownBy(() -> covering.assertThatHolds(half, topology))
        .isExactlyInstanceOf(AssertionError.class)
        .hasMessage(
            "handshake: nothing found, but not everything is covered: no ensure covers 100 output bytes for every input");
    assertThatThrownBy(
            () -> covering.withStrategy(Strategy.RANDOM).assertThatHolds(whole, topology))
        .hasMessageContaining("not everything is covered: ");
    assertThat(covering.withLaunches(2).assertThatHolds(whole, topology).closed()).isFalse();
    Program counting =
        bound(
            ReplayTexts.HANDSHAKE
                .replace("output ", "scratch late[808]\noutput ")
                .replace("let succ", "store late[8 * min(epoch, 100)] <- 1\n  let succ"),
            2);
    assertThatThrownBy(() -> covering.assertThatHolds(counting, topology))
        .hasMessageContaining("no more than some launches: ");
  }

  /** No value is judged without a post-condition. */
  @Test
  void aReportNamesTheOutputBytesOfPostConditions(Explorer explorer) {
    String silent = ReplayTexts.HANDSHAKE.replaceAll("ensure .*\n", "");
    OutputCoverage nothing =
        explorer.assertThatHolds(bound(silent, 2), Topology.parse("1x2")).verdict().outputs();
    assertThat(nothing.nothing()).isTrue();
    assertThat(nothing.unpromised()).isEqualTo(200);
    String half = ReplayTexts.HANDSHAKE.replaceAll("(ensure .*) bytes B\n", "$1 bytes B / 2\n");
    OutputCoverage some =
        explorer.assertThatHolds(bound(half, 2), Topology.parse("1x2")).verdict().outputs();
    assertThat(some.nothing()).isFalse();
    assertThat(some.silent().getFirst().text(2)).isEqualTo("bytes 50-99 of out at every rank");
  }

  @Test
  void aFailureIsShrunkAndNamesTokenTableAndPicture(@TempDir Path folder) throws IOException {
    Explorer explorer = Explorer.standard().withPictures(folder);
    Program broken = bound(ReplayTexts.RELAXED, 6);
    ProtocolError error =
        catchThrowableOfType(
            ProtocolError.class, () -> explorer.assertThatHolds(broken, Topology.parse("2x3")));
    assertThat(error)
        .hasMessageStartingWith("handshake: race: ")
        .hasMessageContaining(error.token())
        .hasMessageContaining("r0.main")
        .hasMessageContaining(error.picture().toString());
    assertThat(ReplayToken.parse(error.token()).world().world()).isEqualTo(2);
    assertThat(Files.readString(error.picture())).startsWith("<!DOCTYPE html>");
    Form form = FormParser.parse(ReplayTexts.RELAXED);
    assertThat(TokenReplay.play(ReplayToken.parse(error.token()), form).finding())
        .get()
        .extracting(f -> f.kind().word())
        .isEqualTo("race");
  }

  /** A program that was parsed without its file has the lines of a printed text instead. */
  @Test
  void aFailureOfAFileNamesItsLines(@TempDir Path folder) throws IOException {
    String text = "-- A comment,\n\n-- and another one.\n" + ReplayTexts.RELAXED;
    Path file = Files.writeString(folder.resolve("relaxed.oriel"), text);
    int line = text.substring(0, text.indexOf("move out@succ")).split("\n", -1).length;
    ProtocolError error =
        catchThrowableOfType(
            ProtocolError.class,
            () ->
                Explorer.standard()
                    .withPictures(folder)
                    .assertThatHolds(file, Topology.parse("2x2"), Map.of("B", 100L)));
    assertThat(error)
        .hasMessageContaining("line %d: move out@succ[0] <- in[0] bytes B".formatted(line));
    assertThat(String.valueOf(error.getMessage()).replaceAll("\\s+", " "))
        .contains("DATA[0]@1=1, which rank=1, lane=main wrote in line %d (".formatted(line + 1));
    Files.writeString(file, ReplayTexts.HANDSHAKE);
    Explorer.assertHolds(file, Topology.parse("1x2"), Map.of("B", 100L));
  }

  @Test
  void mistakesInAFileHaveItsPlaces(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("form.oriel");
    Map<String, Long> sizes = Map.of("B", 100L);
    Topology world = Topology.parse("1x2");
    assertThatThrownBy(() -> Explorer.assertHolds(file, world, sizes))
        .hasMessageStartingWith("cannot read a program: path=" + file);
    Files.writeString(file, ReplayTexts.HANDSHAKE.replace("move out@succ", "moov outt@succ"));
    assertThatThrownBy(() -> Explorer.assertHolds(file, world, sizes))
        .isInstanceOf(ProgramException.class)
        .hasMessageStartingWith(file + ":14:3: unexpected text: ")
        .hasMessageEndingWith("\n    moov outt@succ[0] <- in[0] bytes B\n    ^");
    Files.writeString(file, ReplayTexts.HANDSHAKE.replace("move out@succ[0]", "move out@succ[1]"));
    assertThatThrownBy(() -> Explorer.assertHolds(file, world, sizes))
        .isInstanceOf(ProgramException.class)
        .hasMessageStartingWith(file + ":14:8: region ");
  }

  /** Ranks of two hosts have no fence between them, which only the right domain shows. */
  @Test
  void theWorldDeterminesTheDomain(@TempDir Path folder) throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("levels.oriel"),
            """
            form levels
            param domain <= 8
            param B <= 64
            input in[B]
            window box[B * n]
            signal DATA[1]
            lane main: sm(32) {
              let peer = (r + 1) % n
              if peer / max(1, domain) == r / max(1, domain) {
                move box@peer[B * r] <- in[0] bytes B
                signal DATA[0]@peer set epoch release
              } else {
                put box@peer[B * r] <- in[0] bytes B nb
                signal DATA[0]@peer set epoch relaxed
              }
              await DATA[0]@((r - 1) % n) reached epoch acquire
              load x <- box[B * ((r - 1) % n)]
              quiet
            }
            """);
    Map<String, Long> size = Map.of("B", 8L);
    Topology hosts = Topology.parse("2x2");
    Explorer one = Explorer.standard().withLaunches(1).withPictures(folder);
    assertThatThrownBy(() -> one.assertThatHolds(file, hosts, size))
        .isInstanceOf(ProtocolError.class)
        .hasMessageContaining("race: buffer=box");
    Explorer quick = Explorer.quick().withLaunches(1);
    assertThat(quick.assertThatHolds(file, Topology.parse("1x4"), size)).isNotNull();
  }

  /** Two programs with the same name, as of two tests, in one world. */
  @Test
  void anotherFailureDoesNotReplaceThePage(@TempDir Path folder) {
    List<Path> pages = new ArrayList<>();
    String other = ReplayTexts.RELAXED.replace("param B <= ", "param B <= 1");
    for (String text : List.of(ReplayTexts.RELAXED, other)) {
      ProtocolError error =
          catchThrowableOfType(
              ProtocolError.class,
              () ->
                  Explorer.standard()
                      .withPictures(folder)
                      .assertThatHolds(bound(text, 2), Topology.parse("1x2")));
      pages.add(error.picture());
    }
    assertThat(pages).doesNotHaveDuplicates().allSatisfy(page -> assertThat(page).exists());
  }

  @Test
  void anUnevenWorldHasAToken(@TempDir Path folder) {
    ProtocolError error = stuck(folder, Topology.parse("0,2/1"));
    assertThat(error.token()).isNotEmpty();
    assertThat(
            TokenReplay.play(ReplayToken.parse(error.token()), FormParser.parse(ReplayTexts.STUCK))
                .finding())
        .isPresent();
  }

  @Test
  void aPartlyConnectedHostHasNoTokenAndAReason(@TempDir Path folder) {
    Topology parted =
        Topology.of(
            List.of(
                Topology.parse("1x2").facts(0),
                Topology.parse("1x2").facts(1),
                RankFacts.of("host0", 2).withReachable(IndexSet.of(2))));
    ProtocolError error = stuck(folder, parted);
    assertThat(error.token()).isEmpty();
    assertThat(error).hasMessageContaining("use a world that an option can name");
  }

  /** After a crash a rank waits for ever; with timeouts its wait ends, and the rest holds. */
  @Test
  void faultsHappenInEachExecution(@TempDir Path folder) {
    Program program = bound(ReplayTexts.HANDSHAKE, 2);
    Topology topology = Topology.parse("1x2");
    FaultPlan crash = FaultPlan.parse("crash rank=1 after=1");
    Explorer explorer = Explorer.standard().withPictures(folder).withLaunches(1);
    ProtocolError error =
        catchThrowableOfType(
            ProtocolError.class,
            () ->
                explorer.withFaults(crash, TimeoutPolicy.NEVER).assertThatHolds(program, topology));
    assertThat(error).hasMessageContaining("since its rank crashed");
    assertThat(ReplayToken.parse(error.token()).faults()).isEqualTo(crash);
    assertThat(
            explorer.withFaults(crash, TimeoutPolicy.QUIESCENCE).assertThatHolds(program, topology))
        .isNotNull();
  }

  private static ProtocolError stuck(Path folder, Topology topology) {
    Explorer explorer = Explorer.standard().withStrategy(Strategy.FIFO).withPictures(folder);
    return catchThrowableOfType(
        ProtocolError.class, () -> explorer.assertThatHolds(bound(ReplayTexts.STUCK, 3), topology));
  }
}
