package dev.oriel.it.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.oriel.it.Main;
import dev.oriel.it.options.ExitCodes;
import dev.oriel.sim.replay.CampaignResults;
import dev.oriel.sim.replay.CampaignShard;
import dev.oriel.sim.replay.CampaignText;
import dev.oriel.sim.replay.ChecksummedReport;
import dev.oriel.sim.replay.JsonValue;
import dev.oriel.sim.replay.StrategyTally;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Merging parts of a campaign never gives a wrong result, whatever happened to the parts. */
class MergeReportsTest {
  @TempDir private Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private Path one = Path.of("");
  private Path two = Path.of("");

  private int oriel(String... arguments) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return Main.run(arguments, new PrintWriter(out), new PrintWriter(err));
  }

  @BeforeEach
  void parts() {
    one = folder.resolve("one.json");
    two = folder.resolve("two.json");
    for (int i = 1; i <= 2; i++) {
      Path file = i == 1 ? one : two;
      String shard = i + "/2";
      int code =
          oriel("check", "ring", "--executions", "4", "--shard", shard, "--json", file.toString());
      assertThat(code).isEqualTo(ExitCodes.FINE);
    }
  }

  private void refused(String... reasons) {
    assertThat(oriel("merge", one.toString(), two.toString())).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains(reasons);
    assertThat(out.toString()).doesNotContain("verdict");
  }

  @Test
  void completePartsAreMerged() {
    assertThat(oriel("merge", one.toString(), two.toString())).isEqualTo(ExitCodes.FINE);
    assertThat(out.toString()).contains("parts    2 in files=2, missing: none", "nothing found");
  }

  private static Arguments change(String what, UnaryOperator<String> change, String reason) {
    return Arguments.of(what, change, reason);
  }

  static Stream<Arguments> corruptions() {
    String altered = "altered report: checksum=";
    return Stream.of(
        change("empty", _ -> "", "empty file"),
        change("blank", _ -> "\n \n", "empty file"),
        change("half of it", t -> t.substring(0, t.length() / 2), "line"),
        change(
            "all but the last character",
            t -> t.strip().substring(0, t.strip().length() - 1),
            "line"),
        change("twice", t -> t + t, "text after the end"),
        change("an array", t -> "[" + t + "]", "not an object"),
        change("another object", _ -> "{}", "report without a checksum"),
        change("a number", _ -> "7", "not an object"),
        change(
            "no checksum",
            t -> t.replaceFirst("\"checksum\":\"[0-9a-f]*\",", ""),
            "without a checksum"),
        change(
            "another checksum",
            t -> t.replaceFirst("\"checksum\":\".", "\"checksum\":\"x"),
            altered),
        change(
            "a checksum of another kind",
            t -> t.replaceFirst("\"checksum\":\"[0-9a-f]*\"", "\"checksum\":1"),
            "without a checksum"),
        change(
            "another version",
            t -> t.replace("\"format\":1", "\"format\":2"),
            "report of another version: format='2', known=1"),
        change("no version", t -> t.replace("\"format\":1,", ""), "without a checksum"),
        change(
            "another count",
            t -> t.replaceAll("\"executions\":2,", "\"executions\":1000000,"),
            altered),
        change("another shard", t -> t.replace("\"2/2\"", "\"1/2\""), altered),
        change("another split", t -> t.replace("\"2/2\"", "\"2/3\""), altered),
        change(
            "no part", t -> t.replaceFirst("\"parts\":\\{.*?\\}\\}\\}", "\"parts\":{}"), altered),
        change("no bound", t -> t.replaceAll("\"bounds\":\\[[^]]*\\]", "\"bounds\":[]"), altered),
        change("another seed", t -> t.replace("seed=1,", "seed=2,"), altered),
        change(
            "another verdict",
            t -> t.replace("\"verdict\":\"holds\"", "\"verdict\":\"violation\""),
            altered),
        change("no report", t -> t.replace("\"report\":", "\"rapport\":"), altered),
        change("a member more", t -> "{\"a\":1," + t.substring(1), altered),
        change("a member twice", t -> "{\"format\":1," + t.substring(1), "twice"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("corruptions")
  void truncatedAndAlteredReportsAreRejected(
      String what, UnaryOperator<String> change, String reason) throws IOException {
    String before = Files.readString(two);
    String after = change.apply(before);
    assertThat(after).as(what).isNotEqualTo(before);
    Files.writeString(two, after);
    refused("two.json", reason);
  }

  @Test
  void everyChangedCharacterAndEveryCutIsRejected() throws IOException {
    byte[] text = Files.readAllBytes(two);
    int refusals = 0;
    for (int at = 0; at < text.length - 1; at += 37) {
      byte[] other = text.clone();
      other[at] = (byte) (other[at] == '1' ? '2' : '1');
      Files.write(two, other);
      assertThat(oriel("merge", two.toString())).as("at %d", at).isEqualTo(ExitCodes.WRONG_USE);
      assertThat(err.toString()).as("at %d", at).contains("not a result");
      Files.writeString(two, new String(text, 0, at, StandardCharsets.UTF_8));
      assertThat(oriel("merge", two.toString())).as("up to %d", at).isEqualTo(ExitCodes.WRONG_USE);
      assertThat(err.toString()).as("up to %d", at).contains("not a result");
      refusals++;
    }
    assertThat(refusals).isGreaterThan(20);
  }

  /** Reformatted JSON, or JSON with reordered members, is not altered. */
  @Test
  void spacesMayChange() throws IOException {
    Files.writeString(two, Files.readString(two).replace("\":{", "\" : {\n  "));
    assertThat(oriel("merge", one.toString(), two.toString())).isEqualTo(ExitCodes.FINE);
  }

  private void write(Path file, CampaignResults campaign) throws IOException {
    Files.writeString(
        file, ChecksummedReport.of(Map.of("report", CampaignText.json(campaign))).print());
  }

  private static CampaignResults part(int number, Map<String, StrategyTally> tallies) {
    return CampaignResults.of("c", new CampaignShard(number, 2), tallies);
  }

  private static StrategyTally some(long executions) {
    return new StrategyTally(executions, 0, new TreeMap<>(), Optional.empty());
  }

  @Test
  void aReportWithoutPartsIsUndecided() throws IOException {
    write(one, new CampaignResults("c", new TreeMap<>()));
    assertThat(oriel("merge", one.toString())).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains("no part is there: campaign='c'; nothing was executed");
    write(two, part(1, Map.of("random", some(5))));
    refused("parts are missing: shards=2/2");
  }

  @Test
  void aPartThatEndedEarlyIsUndecided() throws IOException {
    write(one, part(1, Map.of("fifo", some(1), "random", some(5))));
    write(two, part(2, Map.of("fifo", some(1))));
    refused("a part did not come to its end: shard=2/2, strategies that others have=[random]");
    write(two, part(2, Map.of()));
    refused("shard=2/2, strategies that others have=[fifo, random]");
  }

  @Test
  void partsWithoutExecutionsAreUndecided() throws IOException {
    write(one, part(1, Map.of("random", some(0))));
    write(two, part(2, Map.of("random", some(0))));
    refused("no part executed anything: parts=2");
    write(one, part(1, Map.of()));
    write(two, part(2, Map.of()));
    refused("no part executed anything: parts=2");
  }

  @Test
  void anUndecidedResultIsWrittenAsSuch() throws IOException {
    write(one, part(1, Map.of("random", some(0))));
    write(two, part(2, Map.of("random", some(0))));
    Path all = folder.resolve("all.json");
    assertThat(oriel("merge", one.toString(), two.toString(), "--json", all.toString()))
        .isEqualTo(ExitCodes.WRONG_USE);
    assertThat(Files.readString(all)).contains("\"verdict\":\"undecided\"");
  }

  /** A finding of one part counts, whether or not another part ended. */
  @Test
  void aViolationNeedsNoOtherParts() throws IOException {
    StrategyTally found =
        new StrategyTally(
            1, 0, new TreeMap<>(), Optional.of(new StrategyTally.First(0, "race", "token")));
    write(one, part(1, Map.of("fifo", found)));
    write(two, part(2, Map.of("fifo", some(1), "random", some(5))));
    assertThat(oriel("merge", one.toString(), two.toString())).isEqualTo(ExitCodes.VIOLATION);
  }

  @Test
  void partsOfTwoReleasesAreDifferentCampaigns() throws IOException {
    JsonValue report =
        Objects.requireNonNull(ChecksummedReport.open(Files.readString(two)).get("report"));
    CampaignResults campaign = CampaignText.of(report);
    assertThat(campaign.id()).startsWith("release=oriel ");
    write(
        two,
        new CampaignResults(
            campaign.id().replace("release=oriel ", "release=oriel 9"), campaign.parts()));
    refused("different campaigns: one='release=oriel ");
  }

  @Test
  void aMergedReportIsSealedToo() throws IOException {
    Path all = folder.resolve("all.json");
    oriel("merge", one.toString(), "--json", all.toString());
    assertThat(oriel("merge", all.toString(), two.toString())).isEqualTo(ExitCodes.FINE);
    Files.writeString(all, Files.readString(all).replace("\"1/2\":", "\"2/2\":"));
    assertThat(oriel("merge", all.toString(), one.toString())).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains("altered report");
  }

  /** Each output file of a command on a full disk: one line, exit code 3, no partial file. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "check ring --executions 2 --json FILE.json",
        "check ring --executions 2 --picture FILE.html",
        "check ring --executions 2 --picture FILE.txt",
        "check ring --executions 2 --picture FILE.shiviz",
        "check museum:B28 --world 3x1 --small FILE.oriel",
        "explain ring --rank 0 --picture FILE.html",
        "museum B28 --picture FILE.html",
        "tune allgather --world 1x2 --bytes 64 --keep FILE.txt",
        "merge ONE --json FILE.json"
      })
  void aFullDiskGivesOneLine(String command) throws IOException {
    Path full = Path.of("/dev/full");
    assumeTrue(Files.isWritable(full));
    boolean keeps = command.contains("--keep");
    String suffix = command.replaceAll(".*FILE(\\.[a-z]+).*", "$1");
    Path file = folder.resolve("full" + suffix);
    Files.createSymbolicLink(file, full);
    String[] arguments =
        command.replace("FILE" + suffix, file.toString()).replace("ONE", one.toString()).split(" ");
    int code = oriel(arguments);
    assertThat(err.toString().lines()).as(err.toString()).hasSize(1);
    assertThat(code)
        .as(err.toString())
        .isEqualTo(keeps ? ExitCodes.WRONG_USE : ExitCodes.ENVIRONMENT);
    if (!keeps) {
      // Only a regular file can keep choices.
      assertThat(err.toString())
          .startsWith("oriel: file not written: file=" + file)
          .contains("No space left on device");
    }
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left.map(p -> p.getFileName().toString()).filter(n -> n.startsWith(".oriel")))
          .isEmpty();
    }
  }

  /** A violation with other inputs is found by a strategy that was not asked for. */
  @ParameterizedTest
  @ValueSource(strings = {"pct", "pos", "random", "portfolio"})
  void aViolationWithDrawnInputsIsKept(String strategy) throws IOException {
    String program =
        Files.writeString(
                folder.resolve("loads.oriel"),
                """
                form loads
                input in[32]
                lane main: host {
                  load a <- in[0]
                  check a != 37 else 1
                }
                """)
            .toString();
    for (int i = 1; i <= 2; i++) {
      Path file = i == 1 ? one : two;
      oriel(
          "check",
          program,
          "--world",
          "1x2",
          "--strategy",
          strategy,
          "--shard",
          i + "/2",
          "--json",
          file.toString());
    }
    assertThat(oriel("merge", one.toString(), two.toString())).isEqualTo(ExitCodes.VIOLATION);
    assertThat(out.toString()).contains("VIOLATION (check)");
  }
}
