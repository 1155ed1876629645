package dev.oriel.it;

import static dev.oriel.it.JsonPart.member;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.sim.replay.JsonValue;
import dev.oriel.sim.replay.JsonValue.Elements;
import dev.oriel.sim.replay.JsonValue.Members;
import dev.oriel.sim.replay.JsonValue.Text;
import dev.oriel.sim.replay.JsonValue.Whole;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The objects that {@code --json} prints have the members that the help names, and no others. */
class JsonMembersTest {
  private static final String BROKEN =
      """
      form broken
      input in[8]
      output out[8]
      signal DATA[1]
      ensure out[0] = in@((r - 1) % n)[0] bytes 8
      lane main: sm(32) {
        move out@((r + 1) % n)[0] <- in[0] bytes 8
        signal DATA[0]@((r + 1) % n) set epoch release
        await DATA[0]@((r - 1) % n) reached epoch acquire
      }
      """;

  /** Objects whose members are names of parameters or registers. */
  private static final Set<String> MAPS = Set.of("params", "loaded");

  @TempDir private Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private String broken = "";
  private String stuck = "";

  @BeforeEach
  void writeTexts() throws IOException {
    broken = Files.writeString(folder.resolve("broken.oriel"), BROKEN).toString();
    String waits = BROKEN.replace("reached epoch", "reached epoch + 1");
    stuck = Files.writeString(folder.resolve("stuck.oriel"), waits).toString();
  }

  private String run(int code, String line) {
    out.getBuffer().setLength(0);
    int ended =
        Main.run(line.split(" ", -1), new PrintWriter(out, true), new PrintWriter(err, true));
    // A slow machine reports progress.
    assertThat(err.toString().lines().filter(said -> !said.contains("still under way"))).isEmpty();
    assertThat(ended).isEqualTo(code);
    return out.toString();
  }

  private Members json(int code, String line) {
    String printed = run(code, line + " --json");
    assertThat(printed.lines()).hasSize(1);
    return (Members) JsonValue.parse(printed.strip());
  }

  /** Each object is one that the command really printed. */
  private void namesInHelp(String command, Members... objects) {
    String help = run(0, command + " --help");
    String members = help.substring(help.indexOf("Members of the object"));
    Set<String> printed = new TreeSet<>();
    for (Members object : objects) {
      names(object, printed);
    }
    assertThat(printed)
        .allSatisfy(name ->
            assertThat(Pattern.compile("\\b" + name + "\\b").matcher(members).find())
                .as(name)
                .isTrue());
    Set<String> named =
        members
            .lines()
            .skip(1)
            .filter(line -> line.startsWith("  ") && !line.startsWith("          "))
            .map(line -> line.strip().split(" {2,}", 2)[0])
            .flatMap(names -> List.of(names.split(",\\s*", -1)).stream())
            .filter(name -> !name.isEmpty())
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(named).isNotEmpty();
    assertThat(printed).containsAll(named);
  }

  private static void names(JsonValue value, Set<String> into) {
    switch (value) {
      case Members(var members) ->
          members.forEach((name, inner) -> {
            into.add(name);
            if (!MAPS.contains(name)) {
              names(inner, into);
            }
          });
      case Elements(var elements) -> elements.forEach(element -> names(element, into));
      case Text _, Whole _ -> {}
    }
  }

  private static String text(Members of, String name) {
    return ((Text) member(of, name)).text();
  }

  private static long whole(JsonValue of, String name) {
    return ((Whole) member(of, name)).value();
  }

  private static List<JsonValue> elements(JsonValue of, String name) {
    return ((Elements) member(of, name)).elements();
  }

  @Test
  void simHasTheTimesOfTheText() {
    Members ring = json(0, "sim ring --world 2x2 --set B=1000 --launches 2");
    Members stopped = json(1, "sim " + stuck + " --world 1x2");
    namesInHelp("sim", ring, stopped);
    assertThat(text(ring, "name")).isEqualTo("ring_all_gather");
    assertThat(text(ring, "world")).isEqualTo("2x2");
    assertThat(member(ring, "params")).isEqualTo(new Members(Map.of("B", new Whole(1000))));
    assertThat(text(ring, "links")).isEqualTo("h200");
    assertThat(text(ring, "faults")).isEqualTo("none");
    assertThat(text(ring, "digest")).matches("[0-9a-f]{32}");
    assertThat(whole(ring, "launches")).isEqualTo(2);
    List<JsonValue> ends = elements(ring, "ends");
    assertThat(ends).hasSize(2).first().isEqualTo(new Whole(whole(ring, "first")));
    assertThat(((Whole) ends.get(1)).value() - ((Whole) ends.get(0)).value())
        .isBetween(whole(ring, "last") - 1, whole(ring, "last") + 1);
    assertThat(whole(ring, "events")).isPositive();
    assertThat(elements(ring, "waits")).isEmpty();
    JsonValue traffic = member(ring, "traffic");
    assertThat(whole(traffic, "nvlink_in")).isEqualTo(whole(traffic, "nvlink_out")).isPositive();
    assertThat(whole(traffic, "rdma_in")).isEqualTo(whole(traffic, "rdma_out")).isPositive();
    Members busiest = (Members) member(ring, "busiest");
    assertThat(text(busiest, "link")).isIn("nvlink", "rdma");
    assertThat(text(busiest, "direction")).isIn("in", "out");
    assertThat(whole(busiest, "rank")).isBetween(0L, 3L);
    assertThat(whole(busiest, "busy")).isBetween(1L, ((Whole) ends.get(1)).value());
    assertThat(run(0, "sim ring --world 2x2 --set B=1000 --launches 2 --verbose"))
        .contains(
            "last=%d.%03d;"
                .formatted(
                    whole(ring, "last") / 1_000_000, (whole(ring, "last") + 500) / 1000 % 1000),
            "messages=%d, nvlink=%d bytes, rdma=%d bytes"
                .formatted(
                    whole(traffic, "messages"),
                    whole(traffic, "nvlink_out"),
                    whole(traffic, "rdma_out")));
    assertThat(stopped.members()).doesNotContainKeys("ends", "first");
    assertThat(elements(stopped, "waits")).hasSize(2);
  }

  @Test
  void simNamesLoadedWords() {
    Members dispatch = json(0, "sim moe-dispatch --world 1x2 --set B=16 --set T=3");
    assertThat(((Members) member(dispatch, "loaded")).members()).isNotEmpty();
  }

  @Test
  void tuneHasTheChoiceOfTheText() {
    Members found = json(0, "tune allgather --world 1x4 --bytes 64,1048576");
    namesInHelp(
        "tune",
        found,
        json(0, "tune allreduce --type int8 --op sum --bytes 3 --world 1x2"),
        json(0, "tune alltoallv --world 2x2 --bytes 64"),
        json(0, "tune reducescatter --world 1x3 --bytes 12"));
    assertThat(text(found, "collective")).isEqualTo("allgather");
    assertThat(elements(found, "sizes")).hasSize(2);
    JsonValue large = elements(found, "sizes").get(1);
    assertThat(whole(large, "bytes")).isEqualTo(1 << 20);
    Members choice = (Members) member(large, "choice");
    assertThat(elements(large, "offers")).contains(choice);
    assertThat(run(0, "tune allgather --world 1x4 --bytes 64,1048576"))
        .contains("1048576: " + text(choice, "program"));
  }

  @Test
  void explainHasTheStepsOfTheText() {
    String line = "explain ring --world 1x3 --set B=8 --rank all";
    Members ring = json(0, line);
    namesInHelp("explain", ring);
    assertThat(text(ring, "world")).isEqualTo("1x3");
    assertThat(whole(ring, "launch")).isEqualTo(1);
    assertThat(elements(ring, "ranks")).hasSize(3);
    String plain = run(0, line);
    for (JsonValue rank : elements(ring, "ranks")) {
      assertThat(plain).contains("rank %d of 3".formatted(whole(rank, "rank")));
      for (JsonValue lane : elements(rank, "lanes")) {
        assertThat(plain)
            .contains(
                "lane %s: %s"
                    .formatted(text((Members) lane, "lane"), text((Members) lane, "engine")));
        for (JsonValue step : elements(lane, "steps")) {
          assertThat(plain).contains("  " + text((Members) step, "text"));
          elements(step, "reasons")
              .forEach(why -> assertThat(plain).contains("    " + ((Text) why).text()));
        }
      }
    }
    assertThat(elements(json(0, "explain ring --rank 1 --world 1x3"), "ranks"))
        .singleElement()
        .satisfies(rank -> assertThat(whole(rank, "rank")).isOne());
  }

  @Test
  void proveHasTheCombinationsOfTheText() {
    Path kept = folder.resolve("kept.proof");
    Members proved = json(0, "prove push-allgather --world 1x2 --set B=0..2 --keep " + kept);
    Members failed = json(1, "prove " + broken);
    Members open = json(1, "prove push-allgather --states 3 --world 1x3 --set B=8");
    Members several = json(0, "prove dissemination-barrier");
    namesInHelp(
        "prove",
        proved,
        failed,
        open,
        several,
        json(1, "prove moe-dispatch --states 10 --world 1x2"));
    assertThat(text(proved, "verdict")).isEqualTo("proved");
    assertThat(text(proved, "kept")).isEqualTo(kept.toString());
    assertThat(kept).isNotEmptyFile();
    assertThat(elements(proved, "combinations"))
        .hasSize(3)
        .allSatisfy(one -> {
          assertThat(whole(one, "proved")).isOne();
          assertThat(whole(one, "states")).isPositive();
          assertThat(text((Members) one, "reason")).isEmpty();
        });
    assertThat(elements(proved, "violation")).isEmpty();
    assertThat(text(failed, "verdict")).isEqualTo("violation");
    Members violation = (Members) elements(failed, "violation").getFirst();
    assertThat(text(violation, "kind")).isEqualTo("race");
    assertThat(elements(violation, "places"))
        .anySatisfy(place -> assertThat(whole(place, "line")).isEqualTo(7))
        .anySatisfy(place -> assertThat(whole(place, "column")).isEqualTo(3));
    assertThat(text(open, "verdict")).isEqualTo("not proved");
    assertThat(elements(open, "combinations"))
        .singleElement()
        .satisfies(one -> {
          assertThat(whole(one, "proved")).isZero();
          assertThat(text((Members) one, "reason")).isNotEmpty();
        });
  }

  @Test
  void museumHasOneExhibitOrAll() {
    Members one = json(0, "museum B28");
    Members all = json(0, "museum");
    namesInHelp("museum", one, all);
    assertThat(elements(one, "exhibits"))
        .singleElement()
        .satisfies(exhibit -> {
          assertThat(elements(exhibit, "rows")).contains(new Text("B28"));
          assertThat(text((Members) exhibit, "outcome")).isEqualTo("caught");
          assertThat(text((Members) exhibit, "world")).isEqualTo("3x1");
          assertThat(text((Members) exhibit, "story")).contains("network interface");
          assertThat(whole(member(exhibit, "twin"), "passed")).isOne();
        });
    assertThat(whole(one, "caught")).isOne();
    assertThat(elements(all, "exhibits").size()).isGreaterThan(50);
    assertThat(whole(all, "caught")).isEqualTo(whole(all, "expressible"));
    assertThat(whole(all, "twins")).isZero();
  }
}
