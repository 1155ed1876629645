package dev.oriel.it.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.it.Main;
import dev.oriel.it.options.ExitCodes;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A report names the lines of its operations, as they are in the file. */
class PlacesTest {
  /** Two puts with equal text: only their lines differ. */
  private static final String TWICE =
      """
      form twice
      -- The second may overtake the first.
      scratch mine[8]
      scratch win[8]
      barrier all_in

      lane main: sm(32) {
        barrier all_in
        if r == 0 {
          put win@1[0] <- mine[0] bytes 8
          let again = 1
          put win@1[0] <- mine[0] bytes 8
        }
        barrier all_in
      }
      """;

  /** Correct for one launch: nothing prevents rank 0 from starting the next one early. */
  private static final String OVER =
      """
      form over
      scratch mine[8]
      scratch win[8]
      signal S[1]

      lane main: sm(32) {
        if r == 0 { put win@1[0] <- mine[0] bytes 8 notify S[0] set epoch }
        if r == 1 {
          await S[0]@0 reached epoch acquire
          load x <- win[0]
        }
        quiet
      }
      """;

  /** The put may be placed after its rank has ended the launch that posted it. */
  private static final String LATE =
      """
      form late
      scratch mine[8]
      scratch win[8]

      lane main: sm(32) {
        if r == 0 { put win@1[0] <- mine[0] bytes 8 nb }
        if r == 1 { load x <- win[0] }
      }
      """;

  /** Rank 1's second packet has the flag of its first; either side may come first. */
  private static final String PACKETS =
      """
      form packets
      input a[8]
      input b[8]
      scratch box[64]
      output x[8]
      lane main: sm(32) {
        if r == 1 {
          move box@0[0] pkt8(epoch) <- a[0] bytes 8
          sync
          move box@0[0] pkt8(epoch) <- b[0] bytes 8
        } else {
          move x[0] <- box[0] pkt8(epoch) bytes 8
        }
      }
      """;

  /** The second move leaves bytes of another place in the output. */
  private static final String WRONG =
      """
      form wrong
      input in[8]
      output out[8]
      output end[8]
      ensure end[0] = in[0] bytes 8
      ensure out[0] = in[0] bytes 8

      lane main: sm(32) {
        move end[0] <- in[0] bytes 8
        move out[0] <- in[0] bytes 8
        sync
        move out[0] <- in[4] bytes 4
      }
      """;

  @TempDir private Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int check(String text, String... more) throws IOException {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    String file = Files.writeString(folder.resolve("form.oriel"), text).toString();
    List<String> arguments = new ArrayList<>(List.of("check", file));
    arguments.addAll(List.of(more));
    if (!arguments.contains("--strategy")) {
      arguments.addAll(List.of("--strategy", "synchronisation"));
    }
    return Main.run(
        arguments.toArray(String[]::new), new PrintWriter(out, true), new PrintWriter(err, true));
  }

  @Test
  void bothLinesOfARaceAreNamed() throws IOException {
    assertThat(check(TWICE)).isEqualTo(ExitCodes.VIOLATION);
    assertThat(out.toString())
        .contains(
            "line=10, rank=0, lane=main: put win@1[0] <- mine[0] bytes 8",
            "line=12, rank=0, lane=main: put win@1[0] <- mine[0] bytes 8");
    assertThat(check(TWICE, "--json", "--no-shrink")).isEqualTo(ExitCodes.VIOLATION);
    assertThat(out.toString()).contains("\"places\"", "\"line\":10", "\"line\":12");
  }

  /** Replay names them as check does. */
  @Test
  void aReplayNamesTheSameLines() throws IOException {
    assertThat(check(TWICE, "--no-shrink")).isEqualTo(ExitCodes.VIOLATION);
    List<String> checked = places();
    assertThat(checked).hasSize(2);
    String token = out.toString().lines().filter(l -> l.startsWith("token")).findFirst().get();
    out.getBuffer().setLength(0);
    String file = folder.resolve("form.oriel").toString();
    String[] again = {"replay", token.substring(9), file};
    assertThat(Main.run(again, new PrintWriter(out, true), new PrintWriter(err, true)))
        .isEqualTo(ExitCodes.VIOLATION);
    assertThat(places()).isEqualTo(checked);
  }

  /** A wrong byte names its last write and the post-condition, in every report. */
  @Test
  void aWrongByteNamesItsLastWriteAndThePostCondition() throws IOException {
    String written = "rank=0, lane=main: move out[0] <- in[4] bytes 4";
    String promised = "rank=0: ensure out[0] = in[0] bytes 8";
    assertThat(check(WRONG, "--no-shrink")).isEqualTo(ExitCodes.VIOLATION);
    assertThat(places())
        .containsExactly("places   line=12, " + written, "         line=6, " + promised);
    String token = out.toString().lines().filter(l -> l.startsWith("token")).findFirst().get();
    List<String> checked = places();
    out.getBuffer().setLength(0);
    String[] again = {"replay", token.substring(9), folder.resolve("form.oriel").toString()};
    Main.run(again, new PrintWriter(out, true), new PrintWriter(err, true));
    assertThat(places()).isEqualTo(checked);
    String sarif = folder.resolve("found.sarif").toString();
    String junit = folder.resolve("found.xml").toString();
    check(WRONG, "--no-shrink", "--json", "--sarif", sarif, "--junit", junit);
    assertThat(out.toString())
        .contains("\"lane\":\"ensure\",\"line\":6,\"operation\":1", "\"line\":12,\"operation\":3");
    assertThat(Files.readString(Path.of(sarif))).contains(written, promised);
    assertThat(Files.readString(Path.of(junit)).replace("&lt;", "<"))
        .contains("form.oriel:12:3: " + written, "form.oriel:6:1: " + promised);
  }

  /** The put is wrong, and the move out of the slot is not. */
  @Test
  void aWrongByteNamesTheWayOnWhichItCame() throws IOException {
    String text =
        """
        form way
        input in[24]
        scratch box[8]
        output out[24]
        ensure out[0] = in@((r - 1) % n)[0] bytes 24
        signal FULL[1]
        signal FREE[1]
        lane produce: sm(32) {
          for t < 3 {
            await FREE[0]@((r + 1) % n) reached 3 * (epoch - 1) + t acquire
            put box@((r + 1) % n)[0] <- in[t / 2 * 8] bytes 8
            fence
            signal FULL[0]@((r + 1) % n) set 3 * (epoch - 1) + t + 1 release
          }
          quiet
        }
        lane consume: sm(32) {
          for t < 3 {
            await FULL[0]@((r - 1) % n) reached 3 * (epoch - 1) + t + 1 acquire
            move out[t * 8] <- box[0] bytes 8
            signal FREE[0]@((r - 1) % n) set 3 * (epoch - 1) + t + 1 release
          }
        }
        """;
    for (String world : List.of("1x2", "2x1")) {
      assertThat(check(text, "--world", world, "--no-shrink")).isEqualTo(ExitCodes.VIOLATION);
      assertThat(out.toString())
          .containsSubsequence(
              "line=11, ",
              "launch 1, t=1",
              "in[0] bytes 8",
              "line=20, ",
              "out[8] <- box[0]",
              "line=5, ");
    }
  }

  /** The wait before the write shows a counter of an earlier launch. */
  @Test
  void aWrongByteNamesTheWaitBeforeItsLastWrite() throws IOException {
    String text =
        """
        form stale
        input in[8]
        scratch box[8]
        output out[8]
        ensure out[0] = in@((r - 1) % n)[0] bytes 8
        signal FULL[1]
        signal FREE[1]
        lane main: sm(32) {
          await FREE[0]@((r + 1) % n) reached epoch - 1 acquire
          move box@((r + 1) % n)[0] <- in[0] bytes 8
          signal FULL[0]@((r + 1) % n) set 1 release
          await FULL[0]@((r - 1) % n) reached 1 acquire
          move out[0] <- box[0] bytes 8
          signal FREE[0]@((r - 1) % n) set epoch release
        }
        """;
    assertThat(check(text, "--world", "1x2", "--profile", "L1", "--no-races", "--no-shrink"))
        .isEqualTo(ExitCodes.VIOLATION);
    assertThat(words())
        .contains("VIOLATION (value)")
        .containsPattern(
            "waits rank=\\d, lane=main waits in line 12 \\(launch 2\\) before line 13 \\(launch 2\\): it"
                + " read FULL\\[0\\]@\\d=1, which rank=\\d, lane=main wrote in line 11 \\(launch 1\\)");
  }

  /** A byte that nothing wrote has no last write; the one that ended before it may be too short. */
  @Test
  void aByteThatIsNeverWrittenNamesTheWriteBeforeIt() throws IOException {
    String text = WRONG.replace("move out[0] <- in[0] bytes 8", "move end[0] <- in[0] bytes 0");
    assertThat(check(text.replace("in[4] bytes 4", "in[0] bytes 4"), "--no-shrink"))
        .isEqualTo(ExitCodes.VIOLATION);
    assertThat(places())
        .containsExactly(
            "places   line=12, rank=0, lane=main: move out[0] <- in[0] bytes 4",
            "         line=6, rank=0: ensure out[0] = in[0] bytes 8");
  }

  /** Atomic steps may take effect in another order than they are executed in. */
  @Test
  void aWordThatAtomicStepsWriteHasNoLastWrite() throws IOException {
    String text =
        """
        form words
        input in[8]
        output out[8]
        ensure out[0] = in[0] bytes 8
        lane a: sm(32) {
          atomic out[0] set 1
        }
        lane b: sm(32) {
          atomic out[0] set 2
        }
        """;
    assertThat(check(text, "--no-shrink")).isEqualTo(ExitCodes.VIOLATION);
    assertThat(places()).containsExactly("places   line=4, rank=0: ensure out[0] = in[0] bytes 8");
  }

  /** The lines of waits distinguish a missing wait from one that is satisfied too early. */
  @Test
  void aRaceNamesTheWaitsBeforeIt() throws IOException {
    String none = "rank=1, lane=main waits for nothing before line 10 (launch 1)";
    assertThat(
            check(OVER.replace("await S[0]@0 reached epoch acquire", "let x1 = 0"), "--no-shrink"))
        .isEqualTo(ExitCodes.VIOLATION);
    assertThat(words()).contains("waits " + none);
    String early = OVER.replace("reached epoch acquire", "reached epoch - 1 acquire");
    String initial =
        "rank=1, lane=main waits in line 9 (launch 1) before line 10 (launch 1): it read S[0]@0=0,"
            + " the initial value";
    String launched = "launch 1, B=8: move out[0] <- win[0] bytes 8";
    early =
        early
            .replace("load x <- win[0]", "move out[0] <- win[0] bytes B")
            .replace("scratch win[8]", "scratch win[8]\noutput out[8]\nparam B <= 8")
            .replace("  await", "await");
    String sarif = folder.resolve("found.sarif").toString();
    String junit = folder.resolve("found.xml").toString();
    String json = folder.resolve("found.json").toString();
    check(early, "--no-shrink", "--set", "B=8", "--json", json, "--sarif", sarif, "--junit", junit);
    initial = initial.replace("line 10", "line 12").replace("line 9", "line 11");
    assertThat(words()).contains(initial, launched);
    for (String file : List.of(json, sarif, junit)) {
      assertThat(Files.readString(Path.of(file)).replace("&lt;", "<"))
          .as(file)
          .contains(initial, launched);
    }
  }

  /** A long list of places would push the reason off the line. */
  @Test
  void aRefusedCombinationHasItsReason() throws IOException {
    String text =
        """
        form pair
        param K <= 8
        scratch words[8]
        lane main: sm(32) { store words[K * r / 8 * 8] <- 1 }
        """;
    check(text);
    assertThat(words())
        .containsPattern("refused K=\\S+ in \\S+, K=\\S+ in \\S+ and in \\d+ more worlds: region");
  }

  @Test
  void aDeadlockNamesTheLineOfItsWaitsOnce() throws IOException {
    String text =
        """
        form stuck
        scratch w[8]

        lane main: sm(32) {
          wait w[0] == 1 acquire
        }
        """;
    assertThat(check(text, "--no-shrink")).isEqualTo(ExitCodes.VIOLATION);
    assertThat(out.toString())
        .contains("rank=1, lane=main, launch=1 waits in 'wait w[0] == 1 acquire'");
    assertThat(places())
        .singleElement()
        .asString()
        .endsWith("line=5, rank=0, lane=main: wait w[0] == 1 acquire");
  }

  /** The output with one space for each gap, as lines are broken anywhere. */
  private String words() {
    return out.toString().replaceAll("\\s+", " ");
  }

  /** Every step of an operation has its line; steps of callers have none. */
  @Test
  void stepsOfTheTraceNameTheirLine() throws IOException {
    check(OVER);
    List<String> steps =
        out.toString()
            .lines()
            .filter(line -> line.matches(" +rank=\\d, (?:lane=.*, launch=\\d+: |caller).*"))
            .toList();
    assertThat(steps)
        .filteredOn(line -> line.contains("rank=1, lane=main"))
        .isNotEmpty()
        .allMatch(line -> line.matches(".*(?:: end|\\[line (?:9|10|12)])"));
    assertThat(steps).anyMatch(line -> line.endsWith("[line 12]"));
    assertThat(steps)
        .filteredOn(line -> line.contains(", caller: "))
        .isNotEmpty()
        .noneMatch(line -> line.contains("[line"));
  }

  private List<String> places() {
    return out.toString().lines().filter(line -> line.contains(" line=")).toList();
  }

  @Test
  void aRaceNamesItsTwoLaunches() throws IOException {
    assertThat(check(OVER, "--no-shrink")).isEqualTo(ExitCodes.VIOLATION);
    assertThat(words())
        .contains("they belong to launches 1 and 2", "line=7, rank=0", "line=10, rank=1");
    assertThat(check(OVER, "--launches", "1")).isEqualTo(ExitCodes.FINE);
    for (String text : List.of(TWICE, LATE)) {
      for (String strategy : List.of("fifo", "synchronisation")) {
        assertThat(check(text, "--no-shrink", "--launches", "1", "--strategy", strategy))
            .isEqualTo(ExitCodes.VIOLATION);
        assertThat(words()).contains("race: ").doesNotContain("they belong to launches");
      }
    }
  }

  @Test
  void aKeywordIsRejectedAsAName() throws IOException {
    assertThat(check("form f scratch remote[8]")).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString())
        .contains("found='remote', a word of the language")
        .contains("such as remote_1");
  }

  @Test
  void aPacketThatComesAgainNamesTheReadAndTheLaterWrite() throws IOException {
    for (String more : List.of("fifo", "pos")) {
      assertThat(check(PACKETS, "--world", "1x2", "--launches", "1", "--strategy", more))
          .isEqualTo(ExitCodes.VIOLATION);
      assertThat(out.toString())
          .contains("race: packets with one flag: buffer=box, owner=0, byte=0")
          .contains("line=10, rank=1, lane=main: move box@0[0] pkt8(epoch) <- b[0] bytes 8")
          .contains("line=12, rank=0, lane=main: move x[0] <- box[0] pkt8(epoch) bytes 8")
          .doesNotContain("line=8, rank=1, lane=main: move");
    }
  }
}
