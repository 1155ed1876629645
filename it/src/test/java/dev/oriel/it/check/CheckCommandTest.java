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
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Check, replay and merge, used together. */
class CheckCommandTest {
  /** Only a search reveals which of two signals comes last. */
  private static final String LATE =
      """
      form late
      param B <= 64
      scratch unused[B]
      signal S[1]
      signal T[1]
      lane main: sm(32) {
        if r == 0 {
          await S[0]@1 reached epoch acquire
          read x <- T[0]@2 acquire
          check x < epoch else 9
        }
        if r == 1 { signal S[0]@0 set epoch release }
        if r == 2 { signal T[0]@0 set epoch release }
      }
      """;

  /** An old word that no rank awaits: on mapped memory it arrives at once. */
  private static final String EARLY =
      """
      form early
      scratch mine[8]
      scratch theirs[8]
      lane main: sm(32) {
        if r == 0 {
          atomic mine[0] <- theirs@1[0] add 1 nb
          load v <- mine[0]
          quiet
        }
      }
      """;

  @TempDir private Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private String late = "";

  @BeforeEach
  void write() throws IOException {
    late = file("late.oriel", LATE);
  }

  private String file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text).toString();
  }

  private int oriel(String... arguments) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return Main.run(arguments, new PrintWriter(out, true), new PrintWriter(err, true));
  }

  /** The text after that word at the start of a line. */
  private String field(String name) {
    return out.toString()
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .findFirst()
        .orElseThrow()
        .substring(name.length())
        .strip();
  }

  @Test
  void callersMayUseOneBufferAtAnyOffset() {
    String[] placed = {"allreduce", "--in-place", "--offset", "out=4", "--bytes", "20"};
    assertThat(oriel(with(placed, "check", "--states", "100"))).isEqualTo(ExitCodes.FINE);
    assertThat(field("program")).isEqualTo("ll_all_reduce-in-place-at-out-4, B=20 of 0..262144");
    assertThat(oriel(with(placed, "run"))).isEqualTo(ExitCodes.FINE);
    assertThat(oriel("check", "push-alltoall", "--in-place")).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString())
        .contains("no form in place: program=push-alltoall, reason=a peer's data would overwrite");
    assertThat(oriel("check", "alltoallv", "--in-place")).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains("inputs=[in, size]");
    assertThat(oriel("check", "ring", "--offset", "x=4")).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains("no buffer of the caller: name=x");
    assertThat(oriel("check", "ring", "--offset", "out=y")).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains("option=--offset, value=y");
    assertThat(oriel("check", "allreduce", "--offset", "2", "--bytes", "8"))
        .isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains("misaligned elements");
  }

  /** Ranks 0 and 1 are on one host only in the last of these. */
  @Test
  void hostsMayBeUneven() throws IOException {
    String apart = file("apart.oriel", EARLY);
    for (String world : List.of("0,2/1,3", "0,2-3/1", "2+1")) {
      boolean joined = world.equals("2+1");
      assertThat(oriel("check", apart, "--world", world, "--no-shrink"))
          .as(world)
          .isEqualTo(joined ? ExitCodes.FINE : ExitCodes.VIOLATION);
      assertThat(field("world")).startsWith(world + ": ");
      if (!joined) {
        String token = field("token");
        assertThat(token).contains(":" + world + ":");
        assertThat(oriel("replay", token, apart)).isEqualTo(ExitCodes.VIOLATION);
      }
    }
    assertThat(oriel("check", apart, "--world", "0,2/1,2")).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains("bad world: text=0,2/1,2, reason=rank 2 stands twice");
  }

  @Test
  void groupsAreNamedByTheirTransfers() {
    String group = "group:0-1=100,1-0=8,2-2=5,2-0=0";
    assertThat(oriel("check", group, "--world", "2+1", "--states", "1000"))
        .isEqualTo(ExitCodes.FINE);
    assertThat(field("program")).isEqualTo("group");
    assertThat(oriel("run", group, "--world", "1x3", "--offset", "in=3")).isEqualTo(ExitCodes.FINE);
    assertThat(oriel("check", group, "--world", "1x2")).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains("not meant for these values").contains("n > 2");
    assertThat(oriel("check", "group:0-1", "--world", "1x2")).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains("no transfer: text=0-1; write FROM-TO=BYTES");
  }

  private static String[] with(String[] more, String... arguments) {
    return Stream.concat(Arrays.stream(arguments), Arrays.stream(more)).toArray(String[]::new);
  }

  @Test
  void aCheckMayStartNearAWrap() throws IOException {
    String early =
        file(
            "early.oriel",
            """
            form early
            signal S[1]
            scratch box[8]
            lane main: sm(32) {
              if r == 0 {
                move box@1[0] <- box[0] bytes 8
                signal S[0]@1 set epoch release
                await S[0]@1 reached epoch acquire
              }
              if r == 1 {
                await S[0]@0 >= epoch acquire
                load x <- box[0]
                signal S[0]@0 set epoch release
              }
            }
            """);
    assertThat(oriel("check", early, "--world", "1x2")).isZero();
    assertThat(oriel("check", early, "--world", "1x2", "--start-epoch", "2^64-2", "--verbose"))
        .isEqualTo(1);
    assertThat(field("explored")).contains("as if after 18446744073709551614 launches");
    assertThat(field("model")).contains("after=18446744073709551614");
    assertThat(oriel("replay", field("token"), early)).isEqualTo(1);
    assertThat(oriel("check", early, "--world", "1x2", "--start-epoch", "2^65")).isEqualTo(2);
    assertThat(err.toString()).contains("2^65").contains("use 0 to 2^64-1");
  }

  @Test
  void invalidValuesAreRejectedWithTheValidOnes() throws IOException {
    assertThat(oriel("check", "allgather", "--executions", "9".repeat(30))).isEqualTo(2);
    assertThat(err.toString()).contains("--executions", "out of range", "max=9223372036854775807");
    assertThat(oriel("check", "allgather", "--launches", "4294967296")).isEqualTo(2);
    assertThat(err.toString()).contains("--launches", "max=2147483647");
    assertThat(oriel("check", "allgather", "--set", "T")).isEqualTo(2);
    assertThat(err.toString()).contains("option=--set, value=T; write NAME=VALUE");
    assertThat(oriel("show", folder.toString())).isEqualTo(2);
    assertThat(err.toString()).contains("a folder is no program: path=" + folder);
    Path empty = Files.createDirectory(folder.resolve("empty"));
    assertThat(oriel("check", empty.toString())).isEqualTo(2);
    assertThat(err.toString()).contains("in the folder: path=" + empty);
  }

  @Test
  void aVerdictNamesEverythingThatItDependsOn() {
    assertThat(
            oriel(
                "check",
                "allgather",
                "--world",
                "2x1",
                "--states",
                "40",
                "--strategy",
                "full",
                "--verbose"))
        .isZero();
    assertThat(field("model"))
        .contains("world=2x1", "profile=L2", "visibility=owner", "granule=8", "timeouts=never")
        .contains("threads per lane modelled=2", "faults=none");
    assertThat(field("lanes")).isEqualTo("main 4 x sm(128)");
    assertThat(field("values")).isEqualTo("K=4, C=256, P=512");
    assertThat(field("reduced")).contains("128 bits", "states=40", "e-36");
    assertThat(out.toString()).contains("bounded  full: stopped at states=40");
    assertThat(field("digests")).startsWith("program ");
    assertThat(field("covered")).contains("launches=3");
    assertThat(field("verdict")).isEqualTo("nothing found within the bounds above");
  }

  private int limited(String... limits) {
    out.getBuffer().setLength(0);
    return oriel(
        with(
            limits,
            "check ring-allreduce --world 1x4 --strategy full --launches 1".split(" ", -1)));
  }

  /** With a limit of memory or time, neither the default number of states nor work is a limit. */
  @Test
  void memoryAndTimeLimitASearchAndTheVerdictSaysWhich() {
    assertThat(limited("--bytes", "16", "--memory", "300k")).isZero();
    assertThat(out.toString())
        .containsPattern("stopped early, after \\d+ states, by the limit of memory");
    assertThat(limited("--bytes", "16", "--time", "9h", "--verbose")).isZero();
    assertThat(field("covered")).contains("states=228400");
    assertThat(out.toString()).doesNotContain("bounded");
    assertThat(limited("--bytes", "16", "--time", "9h", "--states", "40")).isZero();
    assertThat(out.toString()).contains("after 40 states, by the limit of states");
    assertThat(limited("--memory", "0k")).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(limited("--memory", "900000t")).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains("--memory is more than the heap");
    assertThat(limited("--time", "9")).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains("as in 90s, 10m or 8h");
  }

  @Test
  void severalThreadsPrintTheVerdictOfOne() {
    assertThat(full("--verbose")).isZero();
    String one = verdict();
    assertThat(one).contains("covered  full: executions=188, states=30309, launches=1");
    assertThat(full("--verbose", "--threads", "2")).isZero();
    assertThat(verdict()).isEqualTo(one);
    assertThat(full("--threads", "0")).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(full("--threads", "257")).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains("give one for each core");
    assertThat(full("--threads", "2", "--symmetry")).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains("no search with --symmetry");
    assertThat(oriel("check", "ring", "--threads", "2")).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains("only --strategy full uses several");
  }

  /** This class path has no workers; the module that has them tests what they print. */
  @Test
  void workersAreForCompleteSearchesOfBuildsThatHaveThem() {
    assertThat(full("--on", "local[2]")).isEqualTo(ExitCodes.ENVIRONMENT);
    assertThat(err.toString())
        .contains("no workers in this build: option=--on, workers=local[2]")
        .contains("mvn -Pspark");
    assertThat(full("--on", "local[2]", "--symmetry")).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains("one core only: option=--on; leave it out, since");
    assertThat(full("--on", "local[2]", "--threads", "2")).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(full("--keep", folder.toString())).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains("nothing to keep: option=--keep");
    assertThat(oriel("check", "ring", "--on", "local[2]")).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains("one core only: option=--on");
  }

  private int full(String... more) {
    out.getBuffer().setLength(0);
    return oriel(
        with(more, "check ring --world 1x4 --bytes 8 --strategy full --launches 1".split(" ", -1)));
  }

  /** All lines but the next command, which repeats the options. */
  private String verdict() {
    return out.toString()
        .lines()
        .filter(line -> !line.startsWith("next"))
        .collect(Collectors.joining("\n"));
  }

  @Test
  void aVerdictNamesLanesAndValuesThatRanksDoNotShare() {
    assertThat(oriel("check", "rail-allgather", "--world", "2x2", "--bytes", "20", "--json"))
        .isZero();
    assertThat(out.toString())
        .contains("\"lanes\":[\"rail 1 x sm(512)\",\"near 1 x sm(512)\"]")
        .contains("\"values\":{\"C\":\"32\",", "\"K\":\"1\"", "\"l\":\"0 to 1\"");
  }

  @Test
  void aPortfolioNamesTheStrategyAndItsExecutions() {
    assertThat(oriel("check", late, "--world", "1x3", "--verbose")).isEqualTo(ExitCodes.VIOLATION);
    assertThat(field("covered")).startsWith("fifo=1, synchronisation=").contains("(found it)");
    assertThat(field("reduced")).contains("sleep sets and fingerprints of 128 bits");
  }

  @Test
  void aVerdictWithoutRacesNamesTheOmittedOrders() {
    String oneOrder = "plain accesses that nothing orders in one order";
    assertThat(reduced("synchronisation")).doesNotContain(oneOrder);
    assertThat(reduced("synchronisation", "--no-races")).contains(oneOrder);
    assertThat(reduced("synchronisation", "--profile", "L0")).contains(oneOrder);
    assertThat(reduced("full", "--no-races")).doesNotContain(oneOrder);
  }

  private String reduced(String strategy, String... more) {
    oriel(with(more, "check", late, "--world", "1x3", "--verbose", "--strategy", strategy));
    return field("reduced");
  }

  @Test
  void aVerdictNamesTheRenamingsThatChangeNothing() {
    assertThat(
            oriel("check", late, "--world", "1x3", "--symmetry", "--strategy", "full", "--verbose"))
        .isEqualTo(ExitCodes.VIOLATION);
    assertThat(field("reduced")).contains("symmetry: none: ");
  }

  @Test
  void aPortfolioThatFindsNothingListsEveryStrategy() {
    String[] check = {
      "check",
      "allgather",
      "--world",
      "1x2",
      "--executions",
      "3",
      "--delta",
      "2us",
      "--links",
      "flat50",
      "--verbose"
    };
    assertThat(oriel(check)).isZero();
    assertThat(field("covered"))
        .matches("fifo=1, synchronisation=\\d+, random=3, pct=4, pos=3, .*")
        .contains("window (delta=2us, links=flat50)=3: executions=");
    assertThat(oriel("check", "allgather", "--delta", "2 hops")).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains("bad delta: text=2 hops");
  }

  @ParameterizedTest
  @ValueSource(strings = {"portfolio", "random", "pct", "pos", "window", "synchronisation", "full"})
  void theTokenOfAViolationReplaysIt(String strategy) {
    assertThat(oriel("check", late, "--world", "1x3", "--strategy", strategy))
        .isEqualTo(ExitCodes.VIOLATION);
    String token = field("token");
    String small =
        out.toString()
            .lines()
            .dropWhile(l -> !l.startsWith("small"))
            .skip(1)
            .findFirst()
            .orElseThrow()
            .strip();
    for (String line : List.of(token, small)) {
      assertThat(oriel("replay", line, late)).isEqualTo(ExitCodes.VIOLATION);
      assertThat(field("failure")).startsWith("check: ");
      assertThat(out.toString()).contains("r0.main", "r2.main", "VIOLATION (check)");
    }
  }

  @Test
  void invalidTokensAreRejected() throws IOException {
    oriel("check", late, "--world", "1x3", "--no-shrink");
    String token = field("token");
    assertRefused("truncated", token.substring(0, token.length() - 2), late);
    assertRefused("altered", token.replace(":1x3:", ":1x4:"), late);
    assertRefused("another program", token, file("other.oriel", LATE.replace("else 9", "else 8")));
    assertRefused("no such program or file", token, "nowhere.oriel");
  }

  private void assertRefused(String why, String token, String program) {
    assertThat(oriel("replay", token, program)).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).startsWith("oriel: ").contains(why);
  }

  @Test
  void aViolationShrinksToTwoRanksAndASmallerProgram() throws IOException {
    String stuck =
        file(
            "stuck.oriel",
            """
            form stuck
            param B <= 64
            scratch a[B]
            signal S[1]
            lane main: sm(32) {
              for t < 3 { sync }
              signal S[0]@peers set epoch release
              await S[0]@peers reached epoch + 1 acquire
            }
            """);
    Path small = folder.resolve("small.oriel");
    assertThat(oriel("check", stuck, "--world", "2x3", "--small", small.toString()))
        .isEqualTo(ExitCodes.VIOLATION);
    assertThat(field("small")).contains("ranks 6 to 2", "launches 3 to 1");
    String token =
        out.toString()
            .lines()
            .dropWhile(line -> !line.startsWith("smaller"))
            .skip(1)
            .findFirst()
            .orElseThrow()
            .strip();
    assertThat(Files.readString(small)).doesNotContain("sync").contains("await S[0]");
    assertThat(oriel("replay", token, small.toString())).isEqualTo(ExitCodes.VIOLATION);
    assertThat(field("failure")).startsWith("deadlock: ");
  }

  @ParameterizedTest
  @CsvSource({
    "txt, program",
    "json, traceEvents",
    "shiviz, r0",
    "html, <!DOCTYPE html>",
  })
  void picturesAreDrawnOfFailuresAndOfCorrectRuns(String suffix, String part) throws IOException {
    for (String program : List.of(late, "allgather")) {
      Path picture = folder.resolve("p." + suffix);
      String[] line = {"check", program, "--world", "1x3", "--picture", picture.toString()};
      assertThat(oriel(line))
          .isEqualTo(program.equals(late) ? ExitCodes.VIOLATION : ExitCodes.FINE);
      assertThat(field("picture")).isEqualTo(picture.toString());
      assertThat(Files.readString(picture)).contains(part);
      Files.delete(picture);
    }
  }

  /** Before anything slow begins. */
  @Test
  void manyRanksAreWarnedOf() {
    String[] one = {"--strategy", "fifo", "--executions", "1", "--launches", "1", "--bytes", "8"};
    assertThat(oriel(with(one, "check", "ring", "--world", "1x65"))).isZero();
    assertThat(err.toString()).contains("oriel: 65 ranks: one execution may take minutes");
    err.getBuffer().setLength(0);
    assertThat(oriel(with(one, "check", "ring", "--world", "1x64"))).isZero();
    assertThat(err.toString()).isEmpty();
  }

  /** The wait that should have ordered the accesses, as the text output names it. */
  @Test
  void thePageOfARaceNamesTheWait() throws IOException {
    Path program = folder.resolve("free.oriel");
    Files.writeString(
        program,
        """
        form free
        input in[8]
        output out[8]
        lane main: sm(32) {
          move out@((r + 1) % n)[0] <- in[0] bytes 8
        }
        """);
    Path picture = folder.resolve("free.html");
    String[] line = {
      "check", program.toString(), "--world", "1x2", "--picture", picture.toString()
    };
    assertThat(oriel(line)).isEqualTo(ExitCodes.VIOLATION);
    assertThat(Files.readString(picture))
        .containsPattern(
            "\"waits\":\\[\"rank=0, lane=main waits for nothing before line 5 \\(launch \\d\\)\"\\]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--picture=%s/p.html", "--small=%s/s.oriel", "--json=%s/j.json"})
  void anUnwritableFileIsRejectedBeforeTheRun(String option) {
    Path nowhere = folder.resolve("nowhere");

    assertThat(oriel("check", late, "--world", "3x1", option.formatted(nowhere)))
        .isEqualTo(ExitCodes.WRONG_USE);
    assertThat(out.toString()).isEmpty();
    assertThat(err.toString())
        .contains("cannot be written: file=" + nowhere)
        .doesNotContain("\tat ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"whole", "platform", "proxy", "torn", "cells"})
  void aSwitchOfAProfileAcceptsOnlyOne(String name) {
    assertThat(oriel("check", late, "--world", "3x1", "--profile", "L2," + name + "=2"))
        .isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString())
        .contains("out of range: profile=L2," + name + "=2, change='" + name + "=2', min=1, max=1");
  }

  @Test
  void jsonIsOneObjectWithTheDocumentedMembers() {
    assertThat(oriel("check", "--json", late, "--world", "1x3")).isEqualTo(ExitCodes.VIOLATION);
    assertThat(out.toString().lines()).hasSize(1);
    assertThat(out.toString())
        .startsWith("{")
        .contains("\"verdict\":\"violation\"", "\"kind\":\"check\"", "\"token\":\"oriel2:")
        .contains("\"strategies\":[{", "\"collisions\":", "\"bounds\":[", "\"report\":{")
        .contains("\"launches\":3", "\"program\":\"", "\"lowered\":\"", "\"model\":\"profile=L2");
  }

  @Test
  void partsOfACampaignAreMergedInAnyOrder() {
    List<String> files = new ArrayList<>(List.of("merge"));
    for (int i = 1; i <= 3; i++) {
      String file = folder.resolve("part" + i + ".json").toString();
      files.add(1, file);
      oriel("check", late, "--world", "1x3", "--shard", i + "/3", "--json", file, "--no-shrink");
      assertThat(field("bounded")).contains("this is one part of the work");
    }
    assertThat(oriel(files.toArray(String[]::new))).isEqualTo(ExitCodes.VIOLATION);
    assertThat(field("parts")).isEqualTo("3 in files=3, missing: none");
    assertThat(field("token")).startsWith("oriel2:");
    assertThat(oriel("replay", field("token"), late)).isEqualTo(ExitCodes.VIOLATION);
  }

  @Test
  void missingPartsLeaveTheVerdictUndecided() {
    String file = folder.resolve("part.json").toString();
    String again = folder.resolve("merged.json").toString();
    oriel("check", "allgather", "--shard", "2/2", "--json", file);
    assertThat(oriel("merge", file, "--json", again)).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains("parts are missing: shards=1/2");
    oriel("check", "allgather", "--shard", "1/2", "--json", file);
    assertThat(oriel("merge", again, file)).isZero();
    assertThat(field("verdict")).startsWith("nothing found");
    oriel("check", "sendrecv", "--shard", "1/2", "--json", file);
    assertThat(oriel("merge", again, file)).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains("different campaigns", file);
  }

  @Test
  void partsOfDifferentCampaignsAreNamed() {
    String one = folder.resolve("one.json").toString();
    String two = folder.resolve("two.json").toString();
    oriel("check", "ring", "--shard", "1/2", "--json", one);
    oriel("check", "ring", "--shard", "1/2", "--json", two);
    assertThat(oriel("merge", one, two)).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains("part twice: shard=1/2", one, two);
    oriel("check", "ring", "--shard", "2/2", "--seed", "9", "--json", two);
    assertThat(oriel("merge", one, two)).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains("different campaigns: one='seed=1', other='seed=9'; ");
    oriel("check", "ring", "--shard", "2/3", "--json", two);
    assertThat(oriel("merge", one, two)).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains("parts of different splits");
  }

  @Test
  void theJoinedResultNamesTheFindingsOfStrategies() throws IOException {
    String one = folder.resolve("one.json").toString();
    String two = folder.resolve("two.json").toString();
    String all = folder.resolve("all.json").toString();
    for (int i = 1; i <= 2; i++) {
      String file = i == 1 ? one : two;
      oriel("check", late, "--world", "1x3", "--shard", i + "/2", "--json", file, "--no-shrink");
    }
    assertThat(oriel("merge", one, two, "--json", all)).isEqualTo(ExitCodes.VIOLATION);
    assertThat(out.toString()).contains("found    check in execution=", "token oriel2:");
    assertThat(Files.readString(Path.of(all)))
        .contains("\"verdict\":\"violation\"", "\"kind\":\"check\"", "\"missing\":[]");
    oriel("check", "ring", "--shard", "1/2", "--strategy", "pos", "--json", two);
    oriel("merge", two, "--json", all);
    assertThat(Files.readString(Path.of(all)))
        .contains("\"verdict\":\"undecided\"", "\"missing\":[\"2/2\"]", "\"bounds\":[\"");
  }

  /** One line for each finding of a folder: the line of a race, and the cycle of a deadlock. */
  @Test
  void findingsOfAFolderNameTheirPlace() throws IOException {
    String text =
        """
        form ring
        signal A[1]
        lane main: sm(32) {
          await A[0]@((r - 1) % n) reached epoch acquire
          signal A[0]@((r + 1) % n) set epoch release
        }
        """;
    Path programs = Files.createDirectory(folder.resolve("programs"));
    Files.writeString(programs.resolve("ring.oriel"), text);
    assertThat(oriel("check", programs.toString(), "--no-shrink")).isEqualTo(ExitCodes.VIOLATION);
    assertThat(out.toString().replaceAll("\\s+", " "))
        .contains("ring, line 4: deadlock: cycle: rank=0, lane=main waits for rank=1, lane=main");
  }

  @Test
  void aCrashIsADeadlockUnlessLanesTimeOut() {
    String[] crash = {"check", "ring", "--world", "1x3", "--faults", "crash rank=1 after=3"};
    assertThat(oriel(crash)).isEqualTo(ExitCodes.VIOLATION);
    assertThat(out.toString()).contains("deadlock");
    String[] patient = java.util.Arrays.copyOf(crash, crash.length + 2);
    patient[crash.length] = "--timeouts";
    patient[crash.length + 1] = "quiescence";
    assertThat(oriel(patient)).isEqualTo(ExitCodes.FINE);
    assertThat(oriel("check", "allgather", "--faults", "crash rank=2 after=3"))
        .isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains("rank that does not exist");
  }

  @Test
  void withoutRacesOnlyResultsCount() {
    assertThat(
            oriel("check", late, "--world", "1x3", "--no-races", "--timeouts", "any", "--verbose"))
        .isEqualTo(ExitCodes.VIOLATION);
    assertThat(field("model")).contains("races=allowed", "timeouts=any");
    assertThat(field("token")).contains("L2_results", ":any:");
    assertThat(oriel("replay", field("token"), late)).isEqualTo(ExitCodes.VIOLATION);
  }

  /** The verdict and the token contain the timeouts, and replay takes them from the token. */
  @ParameterizedTest
  @ValueSource(strings = {"never", "quiescence", "any"})
  void aTokenContainsItsTimeouts(String timeouts) {
    assertThat(
            oriel(
                "check",
                late,
                "--world",
                "1x3",
                "--timeouts",
                timeouts,
                "--no-shrink",
                "--verbose"))
        .isEqualTo(ExitCodes.VIOLATION);
    assertThat(field("model")).contains("timeouts=" + timeouts + ",");
    String token = field("token");
    String verdict = field("verdict");
    assertThat(token).contains(":" + timeouts + ":");
    assertThat(oriel("replay", token, late)).isEqualTo(ExitCodes.VIOLATION);
    assertThat(field("verdict")).isEqualTo(verdict);
    for (String other : List.of("never", "quiescence", "any")) {
      assertThat(oriel("replay", token, late, "--timeouts", other)).isEqualTo(ExitCodes.WRONG_USE);
      if (!other.equals(timeouts)) {
        assertRefused("altered", token.replace(timeouts, other), late);
      }
    }
  }

  /** The same options make the same form for check and for replay. */
  @Test
  void replayNeedsTheSameOptionsForTheForm() throws IOException {
    String sum =
        file(
            "sum.oriel",
            """
            form sum
            param B <= 64
            input in[B]
            output out[B]
            scratch win[B]
            signal S[1]
            lane main: sm(32) {
              if r == 0 {
                move win@1[0] <- in[0] bytes B
                signal S[0]@1 set epoch relaxed
              }
              if r == 1 {
                await S[0]@0 reached epoch acquire
                move out[0] <- sum fp32 in fp32 (win[0], in[0]) bytes B
              }
            }
            """);
    assertThat(oriel("check", sum, "--type", "int32", "--no-shrink"))
        .isEqualTo(ExitCodes.VIOLATION);
    String token = field("token");
    assertThat(oriel("replay", token, sum, "--type", "int32")).isEqualTo(ExitCodes.VIOLATION);
    assertRefused("another program", token, sum);
  }

  @Test
  void aChangedProfileIsPartOfTheToken() {
    oriel("check", late, "--world", "1x3", "--profile", "L3,resident=1", "--no-shrink");
    assertThat(field("token")).startsWith("oriel2:L3_resident.1:");
    assertThat(oriel("replay", field("token"), late)).isEqualTo(ExitCodes.VIOLATION);
  }

  private String lanes(String first, String second) throws IOException {
    return file(
        "lanes.oriel",
        """
        form lanes
        signal S[1]
        lane a: sm(32) { %s }
        lane b: sm(32) { %s }
        """
            .formatted(first, second));
  }

  /** A check that finds nothing also tries fewer lanes at once, which then fails if asked for. */
  @Test
  void aLaneThatAwaitsALaterOneNeedsBothAtOnce() throws IOException {
    String waits = lanes("await S[0]@r reached epoch acquire", "signal S[0]@r set epoch release");
    assertThat(oriel("check", waits, "--world", "1x1")).isEqualTo(ExitCodes.FINE);
    assertThat(out.toString().replaceAll("\\s+", " "))
        .contains("needs all 2 lanes at once: deadlock with --profile L2,resident=1");
    assertThat(oriel("check", waits, "--world", "1x1", "--profile", "L2,resident=1"))
        .isEqualTo(ExitCodes.VIOLATION);
    assertThat(out.toString().replaceAll("\\s+", " "))
        .contains("1 of 2 lanes of a rank at once, begun in their order");
    assertThat(oriel("replay", field("token"), waits)).isEqualTo(ExitCodes.VIOLATION);
  }

  /** It holds if lanes begin in their order, and the verdict then notes nothing. */
  @Test
  void aLaneThatAwaitsAnEarlierOneNeedsOrderOrBothAtOnce() throws IOException {
    String waits = lanes("signal S[0]@r set epoch release", "await S[0]@r reached epoch acquire");
    assertThat(oriel("check", waits, "--world", "1x1")).isEqualTo(ExitCodes.FINE);
    assertThat(out.toString().replaceAll("\\s+", " ")).doesNotContain("needs all");
    assertThat(oriel("check", waits, "--world", "1x1", "--profile", "L2,resident=1"))
        .isEqualTo(ExitCodes.FINE);
    String any = "L2,resident=1,anystart=1";
    assertThat(oriel("check", waits, "--world", "1x1", "--profile", any))
        .isEqualTo(ExitCodes.VIOLATION);
    assertThat(out.toString().replaceAll("\\s+", " "))
        .contains("1 of 2 lanes of a rank at once, begun in any order");
    assertThat(field("token")).startsWith("oriel2:L2_resident.1_anystart.1:");
    assertThat(oriel("replay", field("token"), waits)).isEqualTo(ExitCodes.VIOLATION);
  }

  @Test
  void aClusterThatCannotBeResidentIsRefused() throws IOException {
    String cluster = file("cluster.oriel", "form lanes\nlane a(i < 4): sm(32) cluster(2) { }\n");
    assertThat(oriel("check", cluster, "--world", "1x1", "--profile", "L2,resident=1"))
        .isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString())
        .contains("no room for a cluster: lane=")
        .contains("cluster=2, profile=L2,resident=1; use resident=2 or more");
    assertThat(oriel("check", cluster, "--world", "1x1", "--profile", "L2,resident=2"))
        .isEqualTo(ExitCodes.FINE);
  }

  @Test
  void oneSidedCallsAreCheckedOverANetworkByDefault() throws IOException {
    String early = file("early.oriel", EARLY);
    assertThat(oriel("check", early)).isEqualTo(ExitCodes.VIOLATION);
    assertThat(out.toString()).contains("2x1").contains("race");
    assertThat(oriel("check", early, "--world", "1x2")).isEqualTo(ExitCodes.FINE);
    assertThat(oriel("check", "barrier")).isEqualTo(ExitCodes.FINE);
    assertThat(out.toString()).contains("1x2");
  }

  @Test
  void outputsNeverReplaceTheProgramOrEachOther() throws IOException {
    String text = "form idle\nlane main: sm(32) {\n  sync\n}\n";
    String program = file("idle.oriel", text);
    assertThat(oriel("check", program, "--small", program)).isEqualTo(2);
    assertThat(err.toString())
        .contains("one file for two things: file=" + program + ", first=PROGRAM, second=--small;");
    assertThat(Files.readString(Path.of(program))).isEqualTo(text);
    String both = program + ".json";
    assertThat(oriel("check", program, "--json", both, "--picture", both)).isEqualTo(2);
    assertThat(err.toString()).contains("first=--picture, second=--json;");
    assertThat(Path.of(both)).doesNotExist();
  }
}
