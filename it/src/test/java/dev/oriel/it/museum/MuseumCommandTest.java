package dev.oriel.it.museum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.it.Main;
import dev.oriel.sim.museum.CaseStudyCatalogue;
import dev.oriel.sim.replay.JsonValue;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MuseumCommandTest {
  private static final Pattern TOKEN = Pattern.compile("token +(oriel2:\\S+)");

  @TempDir Path folder = Path.of("");
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    return Main.run(arguments, new PrintWriter(out, true), new PrintWriter(err, true));
  }

  private static List<JsonValue> elements(JsonValue.Members all, String name) {
    return ((JsonValue.Elements) Objects.requireNonNull(all.members().get(name))).elements();
  }

  private static int exhibits() {
    return CaseStudyCatalogue.read().exhibits().size();
  }

  @Test
  void listsEveryExhibitAndHowItFails() {
    assertThat(run("museum", "--verbose")).isZero();
    assertThat(out.toString())
        .contains("exhibits %d, which stand for ".formatted(exhibits()))
        .containsPattern("(?m)^B28 +ordering +3x1 +rdma-multirail +fifo +race +1 +[0-9.]+  T7 17$")
        .containsPattern("(?m)^B83 +abort +- +- +- +not expressible +- +-$")
        .contains("destructors of host objects are no part of a program")
        .containsPattern("caught   (\\d+) of \\1 expressible for their own reason, missed 0")
        .containsPattern(
            "rows     \\d+ B, \\d+ L, \\d+ T, \\d+ numbered, \\d+ threads: \\d+; caught: \\d+, not"
                + " expressible: \\d+, not caught: 0");
  }

  @Test
  void describesTheFailureWithoutTechnicalDetails() {
    assertThat(run("museum")).isZero();
    assertThat(out.toString())
        .containsPattern(
            "(?m)^B28 +ordering +3x1 +race +Bytes that one network interface .* \\.\\.\\.$")
        .containsPattern("(?m)^B83 +abort +- +not expressible ")
        .doesNotContainPattern("(?m)^[A-Z0-9]+ .*(rdma-multirail|synchronisation)");
    assertThat(out.toString().lines().filter(line -> line.matches("[BLT]\\d+ .*")))
        .hasSizeGreaterThan(40)
        .allMatch(line -> line.length() <= 100);
    out.getBuffer().setLength(0);
    String picture = folder.resolve("b28.txt").toString();
    assertThat(run("museum", "B28", "--picture", picture)).isZero();
    assertThat(out.toString())
        .contains("world          3x1: 3 ranks on 3 hosts, linked by RDMA")
        .doesNotContainPattern("(?m)^(class|source|where) ");
    assertThat(run("museum", "B28", "--verbose", "--picture", picture)).isZero();
    assertThat(out.toString())
        .contains("class    ordering; needs M2 ", "source   torchcomms ")
        .contains("where    world=3x1, profile=rdma-multirail, strategy=fifo, launches=1");
  }

  @Test
  void showsOneWithItsTokenPictureAndRepair() {
    Path picture = folder.resolve("b39.html");
    assertThat(run("museum", "t3", "--picture", picture.toString())).isZero();
    assertThat(out.toString())
        .contains("failure        B39 (also T3, 51)", "story          Credits were gathered")
        .contains("-       if k % 2 == 0 {", "+       if k > 0 {")
        .contains("broken         deadlock, in 1 execution")
        .contains("cycle: rank=0, lane=main waits for rank=1")
        .contains("repaired       passes, in 1 execution of ")
        .doesNotContain("wrong  ");
    assertThat(picture).content().contains("<html");
    Matcher token = TOKEN.matcher(out.toString());
    assertThat(token.find()).isTrue();
    out.getBuffer().setLength(0);
    assertThat(run("replay", token.group(1), "museum:B39")).isOne();
    assertThat(out.toString()).contains("verdict  VIOLATION (deadlock)");
  }

  @Test
  void notesWhereLanesRepresentThreads() {
    assertThat(run("museum", "B47", "--picture", folder.resolve("b47.txt").toString())).isZero();
    assertThat(out.toString())
        .contains("threads        lanes of a rank stand for the threads of one");
  }

  @Test
  void theProgramsOfAnExhibitAreProgramsOfOtherCommands() {
    assertThat(run("check", "museum:B35", "--launches", "1", "--no-shrink")).isOne();
    assertThat(run("check", "museum:B35/twin", "--launches", "1")).isZero();
    assertThat(run("check", "museum:B83")).isEqualTo(2);
    assertThat(err.toString()).contains("no such exhibit with a program: row=B83");
  }

  @Test
  void showsWhyARowIsNotExpressible() {
    assertThat(run("museum", "B83")).isZero();
    assertThat(out.toString()).contains("verdict        not expressible: destructors");
  }

  @Test
  void runsAllAndCounts() {
    assertThat(run("museum", "--all", "--json")).isZero();
    JsonValue.Members all = (JsonValue.Members) JsonValue.parse(out.toString().strip());
    assertThat(elements(all, "exhibits")).hasSize(exhibits());
    assertThat(all.members().get("caught")).isEqualTo(all.members().get("expressible"));
    assertThat(all.members().get("twins_passed")).isEqualTo(all.members().get("twins"));
    assertThat(all.members().get("missed")).isEqualTo(new JsonValue.Whole(0));
    assertThat(elements(all, "unreadable")).isEmpty();
  }

  @Test
  void listsTheNeedsOfEachFinding() {
    assertThat(run("museum", "--matrix")).isZero();
    assertThat(out.toString())
        .containsPattern("(?m)^B35 +x +\\. .* race$")
        .containsPattern("matrix   (\\d+) of \\1 need what they list and nothing else");
  }

  @Test
  void rejectsConflictingOptions() {
    assertThat(run("museum", "B99")).isEqualTo(2);
    assertThat(run("museum", "B21", "--all")).isEqualTo(2);
    assertThat(run("museum", "--matrix", "--json")).isEqualTo(2);
    assertThat(run("museum", "--all", "--matrix")).isEqualTo(2);
    assertThat(run("museum", "--picture", "x.html")).isEqualTo(2);
    assertThat(err.toString())
        .contains("no such row: row=B99", "a row and --all together", "--json and --matrix")
        .contains("--picture without a row");
  }
}
