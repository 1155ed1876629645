package dev.oriel.it.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.it.Main;
import dev.oriel.it.options.ExitCodes;
import dev.oriel.it.words.LabelledFacts;
import dev.oriel.sim.machine.finding.Finding.Kind;
import dev.oriel.sim.machine.settings.DetectorSet;
import dev.oriel.sim.replay.JsonValue;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The first lines of a check's output, for a person. */
class VerdictBlockTest {
  private static final String HANDSHAKE =
      """
      form handshake
      param B <= 4096
      input in[B]
      output out[B]
      signal READY[1]
      signal DATA[1]
      ensure out[0] = in@((r - 1) % n)[0] bytes B

      lane main: sm(128) {
        let succ = (r + 1) % n
        let pred = (r - 1) % n
        signal READY[0]@pred set epoch release
        await READY[0]@succ reached epoch acquire
        move out@succ[0] <- in[0] bytes B
        signal DATA[0]@succ set epoch release
        await DATA[0]@pred reached epoch acquire
        flush @succ local
      }
      """;

  private static final List<String> LABELS =
      List.of(
          "program",
          "world",
          "refused",
          "explored",
          "bounded",
          "not looked at",
          "not promised",
          "verdict",
          "next",
          "note");

  private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");
  private static final Pattern TOKEN = Pattern.compile("(?m)^token +(\\S+)");

  @TempDir private Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeEach
  void write() throws IOException {
    file("right", HANDSHAKE);
    file("race", HANDSHAKE.replace("succ set epoch release", "succ set epoch relaxed"));
    file("silent", HANDSHAKE.replaceAll("ensure .*\n", ""));
    file("half", HANDSHAKE.replace("[0] bytes B\n\n", "[0] bytes B / 2\n\n"));
    file("chip", HANDSHAKE.replace("[0] bytes B\n\n", "[0] bytes B - min(r, 1)\n\n"));
    file(
        "buffering",
        """
        form buffering
        scratch a[8]
        scratch b[8]
        lane x: sm(32) {
          load c <- a[0] relaxed
          atomic b[0] set 1
        }
        lane y: sm(32) {
          load c <- b[0] relaxed
          atomic a[0] set 1
        }
        """);
  }

  private void file(String name, String text) throws IOException {
    Files.writeString(folder.resolve(name), text);
  }

  private int oriel(String... words) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return Main.run(words, new PrintWriter(out, true), new PrintWriter(err, true));
  }

  /** In the line, a number sign stands for the folder. */
  private String[] words(String line) {
    return split(line.replace("#", folder + "/"));
  }

  private static String[] split(String line) {
    List<String> words = new ArrayList<>();
    Matcher word = WORD.matcher(line);
    while (word.find()) {
      words.add(word.group(1) == null ? word.group(2) : word.group(1));
    }
    return words.toArray(String[]::new);
  }

  /** The block by its labels, with its format checked. */
  private Map<String, String> block() {
    List<String> lines = out.toString().lines().takeWhile(line -> !line.isEmpty()).toList();
    assertThat(lines).hasSizeLessThanOrEqualTo(VerdictBlock.LINES);
    Map<String, String> facts = new LinkedHashMap<>();
    String label = "";
    for (String line : lines) {
      assertThat(line.length() <= LabelledFacts.WIDTH || line.startsWith("next ")).isTrue();
      String name = line.substring(0, 15).strip();
      label = name.isEmpty() ? label : name;
      assertThat(LABELS).contains(label);
      facts.merge(label, line.substring(15), (a, b) -> a + " " + b);
    }
    assertThat(facts.keySet())
        .containsSubsequence("program", "world", "explored", "not looked at", "verdict", "next");
    return facts;
  }

  private static List<String> bounds(String json) {
    return elements(JsonValue.parse(json.strip()), "combinations")
        .flatMap(one -> elements(one, "bounds"))
        .map(bound -> ((JsonValue.Text) bound).text())
        .distinct()
        .toList();
  }

  private static Stream<JsonValue> elements(JsonValue of, String name) {
    return ((JsonValue.Elements)
            Objects.requireNonNull(((JsonValue.Members) of).members().get(name)))
        .elements().stream();
  }

  /** For every check: few short lines, every bound, and a command that works. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "#right",
        "#race",
        "#silent --no-races",
        "#half --world 1x3 --profile L0",
        "#chip --world 4x1 --launches 6",
        "#right --world 3x1 --launches 6 --profile L3",
        "#right --world 1x1",
        "#right --strategy random",
        "#right --strategy full --states 9 --launches 1",
        "#right --strategy full --states 9",
        "#right --faults 'crash rank=1 after=17' --timeouts any --start-epoch 2^32-2 --states 50",
        "#buffering --world 1x1 --strategy random",
        "alltoallv --bytes 8 --world 2+1 --states 100 --launches 2",
        "reducescatter --in-place --world 1x3 --offset out=4 --bytes 16 --set B=16",
        "pull-allreduce --bytes 8",
        "allreduce --algorithm tree --type bf16 --op max --bytes 8",
        "group:0-1=100,1-0=8 --executions 2",
      })
  void aVerdictIsShortAndNamesEveryBoundAndACommand(String line) {
    if (line.contains("--set B=16")) {
      line = line.replace(" --bytes 16", "");
    }
    oriel(words("check --json --no-shrink " + line));
    assertThat(err.toString()).isEmpty();
    List<String> hit = BoundWords.of(bounds(out.toString()));
    int exit = oriel(words("check --no-shrink " + line));
    Map<String, String> facts = block();
    String said = facts.getOrDefault("bounded", "");
    String verdict = facts.getOrDefault("verdict", "");
    long named = hit.stream().filter(said::contains).count();
    assertThat(said)
        .contains(named == hit.size() ? "" : "%d more: --verbose".formatted(hit.size() - named));
    assertThat(named).isGreaterThanOrEqualTo(Math.min(1, hit.size()));
    assertThat(verdict.contains("within the bounds above"))
        .isEqualTo(exit == ExitCodes.FINE && !hit.isEmpty());
    String next = Objects.requireNonNull(facts.get("next"));
    Matcher token = TOKEN.matcher(out.toString());
    if (next.contains("TOKEN")) {
      assertThat(token.find()).isTrue();
      next = next.replace("TOKEN", token.group(1));
    }
    assertThat(next).startsWith("oriel ");
    String[] again = words(next.substring("oriel ".length()));
    assertThat(again).isNotEqualTo(words("check " + line));
    // A mutation run takes long: it is enough that its arguments are accepted.
    if (!again[0].equals("mutate")) {
      assertThat(oriel(again)).as(next + err).isIn(ExitCodes.FINE, ExitCodes.VIOLATION);
    }
  }

  private Map<String, String> check(String line) {
    oriel(words("check --no-shrink " + line));
    assertThat(err.toString()).isEmpty();
    return block();
  }

  /** One combination, as most tests of the text need. */
  private Map<String, String> one(String line) {
    return check(
        line
            + (line.contains("--world") ? "" : " --world 1x2")
            + (line.startsWith("#") ? " --set B=1000" : ""));
  }

  private String unseen(String line) {
    return Objects.requireNonNull(one(line).get("not looked at"));
  }

  @Test
  void uncheckedCasesFollowFromWorldAndOptions() {
    assertThat(unseen("#right"))
        .startsWith("RDMA (try --world 2x1); values other")
        .contains("B=1000", "worlds other than 1x2", "faults", "give up", "weaker memory than L2")
        .doesNotContain("words of", "races", "at once");
    assertThat(unseen("#right --world 2x1")).startsWith("NVLink (try --world 1x2); values other");
    assertThat(unseen("#right --world 2x2")).startsWith("values other").doesNotContain("RDMA");
    assertThat(unseen("#right --world 2x2 --launches 3"))
        .startsWith("bugs that need more than 3 launches; values other");
    assertThat(unseen("#right --world 1x4")).startsWith("RDMA (try --world 2x2)");
    assertThat(unseen("#right --world 1x1 --launches 1"))
        .startsWith("other ranks (try --world 1x2); bugs that need more than 1 launch;");
    assertThat(unseen("#right --profile L0")).startsWith("races (L0 has one order); RDMA");
    assertThat(unseen("#right --timeouts quiescence --profile L3"))
        .doesNotContain("give up", "weaker")
        .contains("faults");
    assertThat(unseen("#right --faults 'straggle rank=1 by=3'")).doesNotContain("faults");
    assertThat(unseen("pull-allreduce --bytes 8 --executions 1 --states 99"))
        .startsWith("RDMA (not for this program)");
    assertThat(unseen("alltoallv --bytes 8 --world 2+1 --states 9 --executions 1"))
        .contains("other words of size, most values of three together");
    assertThat(unseen("barrier")).doesNotContain("values");
    assertThat(unseen("#race")).isEqualTo("anything after the first failure");
  }

  /** The words name every kind of finding that the option leaves out. */
  @Test
  void theKindsThatNoRacesLeavesOutAreNamed() {
    assertThat(EnumSet.complementOf(EnumSet.copyOf(DetectorSet.RESULTS.kinds())))
        .containsExactlyInAnyOrder(
            Kind.RACE, Kind.SUM, Kind.SCOPE, Kind.WRITERS, Kind.RESET, Kind.ATOMICITY, Kind.LEAK);
    String others =
        "narrow scopes, unordered writers, mixed atomics, sums that lack a rank, early resets,"
            + " held locks (--no-races); RDMA";
    assertThat(unseen("#right --no-races"))
        .startsWith("races and some of their results, " + others);
    assertThat(unseen("#right --no-races --profile L0"))
        .startsWith("races (L0 has one order); " + others);
  }

  /** Without races, too, a wait that may miss its last value is found. */
  @Test
  void aWaitWithoutEndIsFoundWithoutRaces() throws IOException {
    file(
        "missed",
        """
        form missed
        input in[8]
        output out[8]
        signal S[1]
        ensure out[0] = in[0] bytes 8
        lane waits: host {
          await S[0]@r == 1 acquire
          move out[0] <- in[0] bytes 8
        }
        lane signals: host {
          signal S[0]@r set 1 release
          signal S[0]@r set 2 release
        }
        """);
    assertThat(check("#missed --world 1x1 --no-races --launches 1").get("verdict"))
        .isEqualTo("VIOLATION (overwrite)");
    assertThat(check("#missed --world 1x1 --no-races --launches 1 --profile L0").get("verdict"))
        .isEqualTo("VIOLATION (overwrite)");
  }

  @Test
  void exploredCasesAreNamedInWords() {
    assertThat(one("#right").get("explored"))
        .isEqualTo(
            "complete: every order of synchronisation and 81 drawn executions, 3 launches each, then"
                + " any number of launches; memory rules: L2 (PTX and RDMA); inputs: random bytes");
    assertThat(one("#right --strategy random --executions 1 --launches 1").get("explored"))
        .startsWith("sampled: 1 drawn execution, 1 launch each; ");
    assertThat(one("#right --strategy full --states 9").get("explored"))
        .startsWith("a part of all orders, 3 launches each");
    assertThat(check("#right --world 1x2 --strategy full --bytes 8 --launches 1").get("explored"))
        .startsWith("complete: every order of all steps, 1 launch each");
    assertThat(one("#race").get("explored")).startsWith("1 execution of 3 launches, which fails");
    assertThat(one("#right --faults 'straggle rank=1 by=3' --start-epoch 7").get("explored"))
        .contains("as if after 7 launches", "faults: straggle rank=1 by=3");
  }

  /** Neither word is used if it would claim too much. */
  @Test
  void completeIsUsedOnlyForExhaustiveSearches() {
    assertThat(check("#buffering --world 1x1").get("explored")).startsWith("every order of sync");
    assertThat(one("#right --shard 2/2 --json #part.json").get("explored")).startsWith("sampled: ");
    assertThat(one("#race").get("explored")).doesNotContain("complete", "sampled");
  }

  @Test
  void aVerdictNamesRangesLinksInputsAndResidentLanes() {
    assertThat(one("#right").get("program")).isEqualTo("handshake, B=1000 of 0..4096");
    assertThat(one("rail-allgather --bytes 8").get("program"))
        .isEqualTo("rail_all_gather, B=8 of 0..67108864, domain=2 of 0..1048575");
    assertThat(one("#right").get("world")).endsWith("linked by NVLink, no network");
    assertThat(one("#right --world 1x1").get("world")).isEqualTo("1x1: one rank, no network");
    assertThat(one("#right --world 2x1").get("world")).endsWith("linked by RDMA");
    String some = "--bytes 8 --world 1x2 --states 99 --executions 1 --launches 3";
    assertThat(check("alltoallv " + some).get("explored"))
        .contains(
            "inputs: random bytes, words of size by the values that the text compares; all 8 lanes of a rank at once");
    assertThat(check("alltoallv --profile L2,resident=3 " + some).get("explored"))
        .contains("3 of 8 lanes of a rank at once, begun in their order");
    assertThat(one("barrier").get("explored")).doesNotContain("inputs", "lanes");
  }

  @Test
  void strictRejectsBytesWithoutAPostCondition() {
    assertThat(oriel(words("check #half --set B=1000 --world 1x2 --strict")))
        .isEqualTo(ExitCodes.VIOLATION);
    Map<String, String> facts = block();
    assertThat(facts.get("verdict"))
        .isEqualTo(
            "VIOLATION (unpromised): no ensure speaks of the bytes above; nothing else found");
    assertThat(facts.get("not promised")).startsWith("1000 of 2000 output bytes");
    assertThat(oriel(words("check #half --set B=1000 --world 1x2 --strict --json")))
        .isEqualTo(ExitCodes.VIOLATION);
    assertThat(out.toString())
        .contains("\"verdict\":\"violation\"", "\"kind\":\"unpromised\"")
        .contains("no ensure speaks of 1000 of 2000 output bytes");
    assertThat(oriel(words("check #silent --strict"))).isEqualTo(ExitCodes.VIOLATION);
    assertThat(oriel(words("check #race --strict --no-shrink"))).isEqualTo(ExitCodes.VIOLATION);
    assertThat(block().get("verdict")).isEqualTo("VIOLATION (race)");
    // These state the value of every byte, of some bytes depending on input words, or have no
    // output.
    for (String program : List.of("#right", "alltoallv --bytes 8 --executions 1", "barrier")) {
      assertThat(oriel(words("check --strict " + program))).as(program).isEqualTo(ExitCodes.FINE);
    }
  }

  /** A part of the work is no exhaustive search. */
  @Test
  void aShardIsReportedAsAPart() {
    Map<String, String> facts = one("#right --shard 1/2 --json #part.json");
    // Part 1 makes the exhaustive search, the others none.
    assertThat(facts.get("explored")).startsWith("every order of synchronisation and ");
    assertThat(facts.get("bounded")).startsWith("this is one part of the work");
    Map<String, String> other = one("#right --shard 2/2 --json #part.json");
    assertThat(other.get("explored")).startsWith("sampled: ").doesNotContain("every order");
    assertThat(other.get("bounded")).startsWith("this is one part of the work");
    assertThat(facts.get("next")).startsWith("oriel merge ");
  }

  @Test
  void missingPostConditionsAreReported() {
    Map<String, String> facts = one("#silent");
    assertThat(facts.get("verdict"))
        .isEqualTo(
            "nothing promised: no ensure says what must come out. Looked only for races,"
                + " deadlocks, failed checks, accesses out of bounds; none found");
    assertThat(facts.get("not promised"))
        .isEqualTo("2000 of 2000 output bytes: bytes 0-999 of out at every rank");
    assertThat(one("#silent --no-races").get("verdict"))
        .contains("nothing promised", "Looked only for deadlocks");
    assertThat(one("barrier")).doesNotContainKey("not promised");
    assertThat(one("barrier").get("verdict")).startsWith("nothing promised: no ensure ");
    assertThat(oriel(words("check #silent"))).isEqualTo(ExitCodes.FINE);
  }

  @Test
  void bytesWithoutAPostConditionAreCountedAndNamed() {
    assertThat(one("#right")).doesNotContainKey("not promised");
    assertThat(one("#half --world 1x3").get("not promised"))
        .isEqualTo("1500 of 3000 output bytes: bytes 500-999 of out at every rank");
    assertThat(one("#half").get("verdict")).isEqualTo("nothing found");
    assertThat(one("#chip --world 1x3").get("not promised"))
        .isEqualTo("2 of 3000 output bytes: byte 999 of out at ranks 1-2");
    assertThat(one("alltoallv --bytes 8 --executions 1 --states 99").get("not promised"))
        .startsWith("up to 32 of 64 output bytes, as words in memory say: bytes 0-15 of out at");
  }

  @Test
  void jsonHasTheSameFacts() {
    oriel(words("check --json #chip --set B=1000 --world 1x3"));
    assertThat(out.toString())
        .contains("\"verdict\":\"holds\"")
        .contains(
            "\"outputs\":{\"bytes\":3000,\"conditional\":[],\"ensures\":1,\"nothing\":0,"
                + "\"promised\":2998,\"silent\":[{\"buffer\":\"out\",\"bytes\":2,\"ranges\":"
                + "[{\"first\":999,\"last\":999}],\"ranks\":[1,2]}],\"unpromised\":2}");
    oriel(words("check --json #silent"));
    assertThat(out.toString()).contains("\"nothing\":1", "\"verdict\":\"holds\"");
  }

  @Test
  void mergingKeepsThatNothingIsPromised() {
    for (String program : List.of("#silent", "#right")) {
      oriel(words("check %s --shard 1/2 --json #a.json".formatted(program)));
      oriel(words("check %s --shard 2/2 --json #b.json".formatted(program)));
      assertThat(oriel(words("merge #a.json #b.json --json #all.json"))).isEqualTo(ExitCodes.FINE);
      String verdict = "verdict  nothing " + (program.equals("#right") ? "found" : "promised: ");
      assertThat(out.toString()).contains(verdict);
      assertThat(oriel(words("merge #all.json"))).isEqualTo(ExitCodes.FINE);
      assertThat(out.toString()).contains(verdict);
    }
  }

  /** Digests, constants and reductions are printed on request only. */
  @Test
  void technicalFactsNeedVerbose() {
    List<String> technical =
        List.of("lanes ", "digests ", "model ", "covered ", "reduced ", "left out ", "promised ");
    for (String program : List.of("#right", "#silent")) {
      oriel(words("check " + program));
      assertThat(out.toString().lines().noneMatch(l -> technical.stream().anyMatch(l::startsWith)))
          .isTrue();
      assertThat(out.toString()).doesNotContain("fingerprint", "granule");
      oriel(words("check --verbose " + program));
      assertThat(out.toString()).doesNotContain("more: --verbose", " ...");
      technical.forEach(name -> assertThat(out.toString()).containsPattern("(?m)^" + name));
    }
  }

  @Test
  void aRunClaimsPostConditionsOnlyIfThereAreAny() {
    assertThat(oriel(words("run #right"))).isEqualTo(ExitCodes.FINE);
    assertThat(out.toString())
        .contains("checked        3 launches ended, every output byte as promised");
    for (String program : List.of("#silent", "#half", "barrier", "alltoallv --bytes 8")) {
      assertThat(oriel(words("run " + program))).isEqualTo(ExitCodes.FINE);
      assertThat(out.toString()).doesNotContain("as promised");
    }
    oriel(words("run #silent --launches 1"));
    assertThat(out.toString())
        .contains("1 launch ended, nothing promised: no ensure says what must come out")
        .contains("not promised   8192 of 8192 output bytes: bytes 0-4095 of out at every rank");
    oriel(words("run #half"));
    assertThat(out.toString())
        .contains("3 launches ended, what is promised holds")
        .contains("not promised   4096 of 8192 output bytes: bytes 2048-4095 of out at every rank");
  }

  /** Where a condition is false, a launch is right whatever its outputs hold: that is counted. */
  @Test
  void aRunCountsTheConditionsThatWereTrue() throws IOException {
    file(
        "sometimes",
        """
        form sometimes
        input in[8]
        output out[8]
        output ok[8]
        ensure if ok[0] == 1: out[0] = in[0] bytes 8
        lane main: sm(32) {
          if r == 0 {
            move out[0] <- in[0] bytes 8
            sync
          }
          store ok[0] <- 1 - min(r, 1)
        }
        """);
    assertThat(oriel(words("run #sometimes --world 1x3 --launches 2"))).isEqualTo(ExitCodes.FINE);
    assertThat(out.toString())
        .contains("2 launches ended, what is promised holds")
        .containsPattern("conditions of post-conditions: 2 of 6\\s+were\\s+true, the others");
  }
}
