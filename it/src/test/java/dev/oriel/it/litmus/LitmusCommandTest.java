package dev.oriel.it.litmus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.it.Main;
import dev.oriel.sim.litmus.answer.CrossCheck;
import dev.oriel.sim.litmus.answer.LitmusVerdict;
import dev.oriel.sim.litmus.answer.MemoryModel;
import dev.oriel.sim.litmus.text.LitmusParser;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LitmusCommandTest {
  private static final String SIGNAL =
      """
      PTX put then signal
      { data=0; flag=0; }
      P0@cta 0,gpu 0         | P1@cta 0,gpu 1          ;
      st.weak data, 7        | ld.acquire.sys r1, flag ;
      st.release.sys flag, 1 | ld.weak r2, data        ;
      exists (P1:r1 == 1 /\\ P1:r2 == 0)
      """;

  @TempDir Path folder = Path.of("");
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeEach
  void write() throws IOException {
    Files.createDirectories(folder.resolve("deep"));
    Files.writeString(folder.resolve("b.litmus"), SIGNAL);
    Files.writeString(folder.resolve("deep/a.litmus"), SIGNAL.replace(".sys", ".gpu"));
    Files.writeString(folder.resolve("notes.txt"), "no test");
  }

  private int run(String... arguments) {
    String[] all = Stream.concat(Stream.of("litmus"), Stream.of(arguments)).toArray(String[]::new);
    return Main.run(all, new PrintWriter(out, true), new PrintWriter(err, true));
  }

  private List<String> lines() {
    return out.toString().lines().map(line -> line.replace(folder + "/", "")).toList();
  }

  @Test
  void printsALineForEachFileOfAFolderInOrder() {
    assertThat(run(folder.toString())).isZero();
    assertThat(lines())
        .containsExactly(
            "b.litmus  forbidden  put then signal  executions=3 states=3  cross-checked",
            "deep/a.litmus  allowed  put then signal  executions=4 states=4  cross-checked",
            "notes.txt  skipped  not named *.litmus",
            "total  files=2 allowed=1 forbidden=1 skipped=1 cross-checked=2");
  }

  @Test
  void modelsDiffer() throws IOException {
    Path file = folder.resolve("b.litmus");
    Files.writeString(
        file,
        SIGNAL
            .replace("st.release.sys flag, 1 |", "fence.sc.sys |")
            .replace(
                "ld.weak r2, data        ;", ";\n st.relaxed.sys flag, 1 | ld.weak r2, data ;"));
    assertThat(run(file.toString(), "--model", "ptx-6.0")).isZero();
    assertThat(run(file.toString(), "--model", "ptx-isa")).isZero();
    assertThat(lines().getFirst()).startsWith("b.litmus  allowed  ");
    assertThat(lines().get(2)).startsWith("b.litmus  forbidden  ");
    assertThat(run(file.toString(), "--model", "tso")).isEqualTo(2);
    assertThat(err.toString()).contains("unknown memory model: name=tso; choose ptx-6.0");
  }

  @Test
  void aMalformedFileGivesExitCodeTwoAfterTheRestIsDecided() throws IOException {
    Files.writeString(folder.resolve("a.litmus"), "PTX broken\n{ x=; }\n");
    assertThat(run(folder.toString())).isEqualTo(2);
    assertThat(lines())
        .startsWith(
            "a.litmus  malformed",
            "b.litmus  forbidden  put then signal  executions=3 states=3  cross-checked")
        .endsWith("total  files=3 allowed=1 forbidden=1 malformed=1 skipped=1 cross-checked=2");
    assertThat(err.toString())
        .contains("a.litmus; unexpected text: line=2, column=5, found=';'; expected a number");
  }

  @Test
  void unknownInstructionsAreListedAndCounted() throws IOException {
    Files.writeString(folder.resolve("b.litmus"), SIGNAL.replace("st.weak", "st.async"));
    assertThat(run(folder.toString())).isZero();
    assertThat(lines())
        .containsExactly(
            "b.litmus  unsupported  put then signal  st.async x1",
            "deep/a.litmus  allowed  put then signal  executions=4 states=4  cross-checked",
            "notes.txt  skipped  not named *.litmus",
            "total  files=2 allowed=1 unsupported=1 skipped=1 cross-checked=1",
            "unsupported  st.async  1");
  }

  @Test
  void reportsThreadsThatNeedNotFinish() throws IOException {
    String spin =
        """
        PTX spin
        { flag=0; }
        P0@cta 0,gpu 0         | P1@cta 0,gpu 1          ;
        st.release.sys flag, 1 | AGAIN:                  ;
                               | ld.acquire.sys r1, flag ;
                               | bne r1, 1, AGAIN        ;
        forall (P1:r1 == 1)
        """;
    Path file = folder.resolve("b.litmus");
    Files.writeString(file, spin);
    run(file.toString());
    Files.writeString(file, spin.replace("flag, 1 |", "flag, 2 |"));
    run(file.toString());
    assertThat(lines().get(0))
        .isEqualTo("b.litmus  always  spin  executions=1 states=1  needs-progress  cross-checked");
    assertThat(lines().get(2))
        .isEqualTo("b.litmus  always  spin  executions=0 states=0  never-finishes  cross-checked");
  }

  @Test
  void testsForOtherMachinesAreSkippedInAFolderOnly() throws IOException {
    Path other = folder.resolve("deep/other.litmus");
    Files.writeString(other, "AArch64 elsewhere\n{ }\n");
    assertThat(run(folder.toString())).isZero();
    assertThat(lines())
        .contains("deep/other.litmus  skipped  a litmus test for AArch64, not PTX")
        .endsWith("total  files=2 allowed=1 forbidden=1 skipped=2 cross-checked=2");
    assertThat(run(other.toString())).isEqualTo(2);
    assertThat(err.toString()).contains("not a PTX litmus test: line=1, column=1, found='AArch64'");
  }

  @Test
  void aNameCannotMoveTheCursor() throws IOException {
    Path file = folder.resolve("b.litmus");
    Files.writeString(file, SIGNAL.replace("put then", "put\u001b[2Jthen"));
    run(file.toString());
    assertThat(lines().getFirst()).startsWith("b.litmus  forbidden  put?[2Jthen signal");
  }

  @Test
  void aQuantifierDoesNotInvertTheVerdict() throws IOException {
    Path file = folder.resolve("b.litmus");
    Files.writeString(file, SIGNAL.replace("exists", "~exists"));
    run(file.toString());
    Files.writeString(
        file, SIGNAL.replace("exists (P1:r1 == 1 /\\ P1:r2 == 0)", "forall (P1:r2 == 7)"));
    run(file.toString());
    assertThat(lines().get(0)).startsWith("b.litmus  forbidden  ");
    assertThat(lines().get(2)).startsWith("b.litmus  not-always  ");
  }

  @Test
  void writesJson() throws IOException {
    Files.writeString(folder.resolve("c.litmus"), "PTX quoted \"name\"\n");
    assertThat(run(folder.toString(), "--json")).isEqualTo(2);
    String json = out.toString().replace(folder + "/", "");
    assertThat(json)
        .startsWith("{\"model\":\"ptx-7.5\",\"tests\":[\n")
        .contains(
            "{\"path\":\"b.litmus\",\"verdict\":\"forbidden\",\"name\":\"put then signal\","
                + "\"quantifier\":\"exists\",\"executions\":3,\"states\":3,"
                + "\"termination\":\"always\",\"bounds\":[],\"unsupported\":{},"
                + "\"crossCheck\":{\"result\":\"agrees\",\"states\":3,\"detail\":\"\"}},\n")
        .contains("\"path\":\"c.litmus\",\"verdict\":\"malformed\",\"line\":2,\"column\":1,")
        .contains(
            "{\"path\":\"notes.txt\",\"verdict\":\"skipped\",\"message\":\"not named *.litmus\"}")
        .endsWith(
            "\"malformed\":1,\"skipped\":1,\"crossChecked\":2,\"enginesDiffer\":0},"
                + "\"instructions\":{}}\n");
  }

  @Test
  void wrongUseGivesExitCodeTwo() throws IOException {
    assertThat(run()).isEqualTo(2);
    assertThat(run("nowhere.litmus")).isEqualTo(2);
    assertThat(err.toString()).contains("no such file or folder: path=nowhere.litmus");
    Path empty = Files.createDirectory(folder.resolve("empty"));
    assertThat(run(empty.toString(), "--json")).isEqualTo(2);
    assertThat(out.toString()).isEmpty();
    assertThat(run(folder.toString(), "--budget", "0")).isEqualTo(2);
  }

  @Test
  void reportsLoadBufferingThatIsNotCovered() throws IOException {
    String buffering =
        """
        PTX buffering
        { x=0; y=0; }
        P0@cta 0,gpu 0  | P1@cta 0,gpu 1  ;
        ld.weak r1, x   | ld.weak r1, y   ;
        st.weak y, 1    | st.weak x, 1    ;
        exists (P0:r1 == 1 /\\ P1:r1 == 1)
        """;
    Path file = folder.resolve("b.litmus");
    Files.writeString(file, buffering);
    run(file.toString());
    Files.writeString(file, buffering.replace("P0:r1 == 1 /", "P0:r1 == 0 /"));
    run(file.toString());
    assertThat(lines().get(0))
        .startsWith("b.litmus  allowed  ")
        .endsWith("  operational: not reached (load buffering shape)");
    assertThat(lines().get(2))
        .startsWith("b.litmus  allowed  ")
        .endsWith("  cross-checked: reached 3 of 4 states, the others by load buffering");
  }

  @Test
  void reportsWhyAnAnswerWasNotCrossChecked() throws IOException {
    Path file = folder.resolve("b.litmus");
    Files.writeString(file, SIGNAL);
    assertThat(run(file.toString(), "--budget", "60")).isZero();
    assertThat(lines().getFirst()).endsWith("  not cross-checked: budget");
  }

  @Test
  void aDifferenceOfTheEnginesGivesExitCodeOne() {
    LitmusVerdict verdict =
        new LitmusVerdict(
            MemoryModel.PTX_7_5,
            LitmusVerdict.Answer.FORBIDDEN,
            3,
            3,
            LitmusVerdict.Termination.ALWAYS,
            List.of(),
            new TreeMap<>(),
            new CrossCheck(CrossCheck.Result.DIFFERS, 4, "reached, but forbidden: state=[x=1]"));
    LitmusTally tally = new LitmusTally();
    tally.countMalformed();
    tally.count(verdict);
    LitmusLines lines = new LitmusLines(new PrintWriter(out, true), new PrintWriter(err, true));
    lines.verdict(Path.of("b.litmus"), LitmusParser.parse(SIGNAL), verdict);
    lines.end(tally);
    assertThat(lines().getFirst())
        .endsWith("  ENGINES DIFFER: reached, but forbidden: state=[x=1]");
    assertThat(lines().getLast()).endsWith("cross-checked=1 ENGINES-DIFFER=1");
    assertThat(err.toString())
        .contains("THE ENGINES DIFFER: path=b.litmus, model=ptx-7.5, reached, but forbidden");
    assertThat(tally.exitCode()).isEqualTo(1);
  }
}
