package dev.oriel.it.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.it.Main;
import dev.oriel.it.options.ExitCodes;
import dev.oriel.it.words.LabelledFacts;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.search.Budget;
import dev.oriel.sim.search.CheckReport;
import dev.oriel.sim.search.Checker;
import dev.oriel.sim.search.Strategy;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Several values and worlds in one check: which of them are checked, and how the verdict names
 * them.
 */
class CombinationsTest {
  private static final Pattern LEFT_OUT = Pattern.compile("left out (\\d+) more combinations");

  private static final Path MUTANTS = Path.of("src", "test", "resources", "covers");

  /** Correct for every size but one. */
  private static final String PICKY =
      """
      form picky
      param B <= 64
      param T <= 3
      input in[B]
      output out[B]
      signal DATA[1]
      signal READY[1]
      ensure out[0] = in@((r - 1) % n)[0] bytes B

      lane main: sm(32) {
        let next = (r + 1) % n
        let last = (r - 1) % n
        signal READY[0]@last set epoch release
        await READY[0]@next reached epoch acquire
        for t < 1 - (1 - min(1, B ^ 17)) * (1 - min(1, T ^ 2)) {
          move out@next[0] <- in[0] bytes B
        }
        signal DATA[0]@next set epoch release
        await DATA[0]@last reached epoch acquire
        flush @next local
      }
      """;

  @TempDir private Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private String picky = "";

  @BeforeEach
  void write() throws IOException {
    picky = file("picky", PICKY);
  }

  private String file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text).toString();
  }

  private int oriel(String... words) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return Main.run(words, new PrintWriter(out, true), new PrintWriter(err, true));
  }

  private int check(String program, String... more) {
    return oriel(
        Stream.concat(Stream.of("check", program), Stream.of(more)).toArray(String[]::new));
  }

  /** The text after each label of the verdict. */
  private Map<String, String> facts() {
    List<String> lines = out.toString().lines().takeWhile(line -> !line.isEmpty()).toList();
    assertThat(lines).hasSizeLessThanOrEqualTo(VerdictBlock.LINES);
    Map<String, String> facts = new LinkedHashMap<>();
    String label = "";
    for (String line : lines) {
      assertThat(line.length() <= LabelledFacts.WIDTH || line.startsWith("next ")).isTrue();
      String name = line.substring(0, 15).strip();
      label = name.isEmpty() ? label : name;
      facts.merge(label, line.substring(15), (a, b) -> a + " " + b);
    }
    return facts;
  }

  private String fact(String label) {
    return Objects.requireNonNull(facts().get(label), label + " in " + out);
  }

  private String token() {
    return out.toString()
        .lines()
        .filter(line -> line.startsWith("token "))
        .findFirst()
        .orElseThrow()
        .substring("token ".length())
        .strip();
  }

  @Test
  void rangesAndListsAreCheckedInEveryCombination() {
    assertThat(check(picky, "--world", "1x2", "--set", "B=1,15..18", "--set", "T=0..1,3"))
        .isEqualTo(ExitCodes.FINE);
    assertThat(fact("program")).isEqualTo("picky; B=1, 15..18 of 0..64; T=0, 1, 3 of 0..3");
    assertThat(fact("world")).startsWith("1x2: 2 ranks on one host");
    assertThat(fact("explored"))
        .startsWith("complete: every order of synchronisation in each of 15 combinations and 1215");
    assertThat(fact("not looked at")).contains("other values of B, T");
    check(picky, "--world", "1x2", "--set", "B=1,16", "--set", "T=0..1", "--verbose");
    assertThat(out.toString().lines().filter(line -> line.startsWith("checked  ")))
        .hasSize(4)
        .anySatisfy(line -> assertThat(line).contains("1x2 B=16 T=1: executions=82", "holds"));
  }

  @Test
  void theFailingCombinationIsNamedAndItsTokenReplaysIt() {
    assertThat(check(picky, "--world", "1x3", "--set", "B=15..20", "--set", "T=0..3"))
        .isEqualTo(ExitCodes.VIOLATION);
    assertThat(fact("program")).isEqualTo("picky, B=17 of 0..64, T=2 of 0..3");
    assertThat(fact("world")).startsWith("1x3: ");
    assertThat(fact("verdict")).isEqualTo("VIOLATION (value)");
    assertThat(fact("explored"))
        .contains("which fails, after 10 other combinations in which nothing was found");
    String token = token();
    assertThat(token).contains(":1x3:B=17,T=2:");
    assertThat(oriel("replay", token, picky)).isEqualTo(ExitCodes.VIOLATION);
    assertThat(out.toString()).contains("VIOLATION (value)");
    assertThat(check(picky, "--set", "B=17", "--set", "T=2", "--world", "1x3", "--no-shrink"))
        .isEqualTo(ExitCodes.VIOLATION);
    assertThat(token()).isEqualTo(token);
  }

  @Test
  void jsonNamesEveryCombination() {
    check(picky, "--world", "1x2", "--set", "B=16,17", "--set", "T=2", "--json", "--no-shrink");
    assertThat(out.toString())
        .contains("\"params\":{\"B\":17,\"T\":2}", "\"verdict\":\"violation\"", "\"left\":0")
        .containsPattern(
            "\"combinations\":\\[\\{[^]]*\\],\"complete\":1,[^]]*\"params\":\\{\"B\":16,\"T\":2\\}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--set B=6..0 | range backwards",
        "--set B=3.. | range without an end",
        "--set B= | no value",
        "--set B=0..65 | parameter out of range: option=--set, parameter=B, value=65, min=0, max=64",
        "--set B=-1..3 | parameter=B, value=-1, min=0",
        "--set C=1,2 | unknown parameter: name=C",
        "--set B=0..5000 | too many values",
        "--set B=1,2 --bytes 3 | size given twice",
        "--set B=1,2 --shard 1/2 --json x.json | several combinations in parts",
      })
  void badInputIsRejectedWithItsReason(String words, String reason) {
    assertThat(check(picky, words.split(" "))).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains(reason);
  }

  @Test
  void tooManyCombinationsAreRejectedBeforeAnyIsChecked() {
    assertThat(check("moe-dispatch", "--set", "B=0..99", "--set", "T=0..99"))
        .isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains("too many combinations", "max=1000");
    assertThat(oriel("run", picky, "--set", "B=0..3")).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains("not a number: option=--set", "take several");
  }

  @Test
  void sizesThatAProgramRejectsAreReported() {
    assertThat(check("allreduce", "--world", "1x2", "--set", "B=4..8")).isEqualTo(ExitCodes.FINE);
    assertThat(fact("program")).contains("B=4, 8 of 0..262144");
    assertThat(fact("refused")).isEqualTo("B=5..7 in 1x2: length is not whole elements");
    check("allreduce", "--world", "1x2", "--set", "B=4..8", "--verbose");
    assertThat(out.toString())
        .containsPattern("(?m)^refused  1x2 B=6: allreduce:\\d+:\\d+: length is not whole");
    assertThat(check("allreduce", "--set", "B=5..7")).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains("length is not whole elements");
  }

  /** If the program needs whole elements, only such sizes are checked. */
  @Test
  void sizesAreImpliedByTheText() {
    assertThat(check("sendrecv", "--world", "1x2", "--launches", "1")).isEqualTo(ExitCodes.FINE);
    assertThat(fact("program"))
        .contains("B=0..2, 8, 9, 1000, 16383..16386, ")
        .contains(" 524289 of");
    assertThat(check("ring-reducescatter", "--world", "1x2", "--launches", "1"))
        .isEqualTo(ExitCodes.FINE);
    assertThat(fact("program")).startsWith("ring_reduce_scatter; B=0, 4, ");
    assertThat(fact("refused")).startsWith("B=1, 2");
  }

  /** Lists of two parameters must not be read as all pairs. */
  @Test
  void theVerdictClaimsNoUncheckedPairs() throws IOException {
    String right =
        file("right", PICKY.replaceAll("for t < .* \\{", "if B ^ 17 <= 99 and T ^ 2 <= 9 {"));
    assertThat(check(right, "--world", "1x2")).as("%s%s", out, err).isEqualTo(ExitCodes.FINE);
    assertThat(fact("program")).startsWith("picky; B=").endsWith("; not each with each");
  }

  /** Values of two parameters that only together do something else are taken together. */
  @Test
  void twoParametersAreVariedTogether() {
    assertThat(check(picky, "--world", "1x2", "--no-shrink")).isEqualTo(ExitCodes.VIOLATION);
    assertThat(fact("program")).isEqualTo("picky, B=17 of 0..64, T=2 of 0..3");
  }

  /** A condition on a product implies values of one parameter for each value of the other. */
  @ParameterizedTest
  @CsvSource({"B * T, 42, 64, 'B=1 of 0..64, T=42 of 0..64'", "B + 7 * T, 59, 9, 'B=59 of 0..64'"})
  void twoParametersThatAreComparedTogetherImplyEachOther(
      String what, int value, int most, String where) throws IOException {
    String product =
        file(
            "product",
            """
            form product
            param B <= 64
            param T <= %d
            input in[B]
            output out[B]
            ensure out[0] = in[0] bytes B
            lane main: sm(32) {
              if %s != %d { move out[0] <- in[0] bytes B }
            }
            """
                .formatted(most, what, value));
    assertThat(check(product, "--no-shrink")).isEqualTo(ExitCodes.VIOLATION);
    assertThat(fact("program")).contains(where);
  }

  /** A size at which a lane would wait for ever is no limit that an author intends. */
  @Test
  void theVerdictNamesASizeAtWhichAWaitMatchesNothing() throws IOException {
    String deaf =
        file(
            "deaf",
            PICKY
                .replaceAll("for t < .* \\{", "if B < 99 {")
                .replace(
                    "signal DATA[0]@next set epoch release",
                    "if B != 17 { signal DATA[0]@next set epoch release }"));
    assertThat(check(deaf, "--world", "1x2")).as("%s%s", out, err).isEqualTo(ExitCodes.VIOLATION);
    assertThat(fact("verdict"))
        .startsWith("VIOLATION (refused): B=17 T=")
        .contains("wait that nothing matches; nothing else found");
    assertThat(out.toString())
        .contains("reason   B=17 T=", "wait that nothing matches: rank=", "await DATA[0]@last");
    assertThat(fact("next")).contains("--set B=17").contains("require");
    assertThat(fact("refused")).startsWith("B=17 ").endsWith("wait that nothing matches");
  }

  /** A branch for large sizes that cannot run; it is refused beside sizes that can. */
  private static final String LARGE =
      """
      form large
      param B <= 4096
      input in[B]
      output out[B]
      window box[128]
      ensure out[0] = in[0] bytes B
      lane main: sm(32) {
        if B < 2048 { move out[0] <- in[0] bytes B }
        else { WRONG move out[0] <- in[0] bytes B }
      }
      """;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          move out@(r + 1)[0] <- in[0] bytes 0  | peer is not a rank
          move out[0] <- in[0] bytes B - 4097   | length is negative
          let half = B / (r - r)                | divisor is zero
          bulk box[0] <- box[64] bytes 8        | length is not whole units
          bulk box[8] <- box[64] bytes 16       | misaligned bulk copy
          """)
  void aMistakeOfSizesOfTheRangeFails(String wrong, String reason) throws IOException {
    String text = file("large", LARGE.replace("WRONG", wrong));
    assertThat(check(text, "--world", "1x2")).as("%s", out).isEqualTo(ExitCodes.VIOLATION);
    assertThat(fact("verdict"))
        .startsWith("VIOLATION (refused): B=2048 in 1x2 ")
        .contains(reason + "; nothing else found");
    assertThat(out.toString()).contains("reason   B=2048 in 1x2: ", "large:9:");
    assertThat(check(text, "--world", "1x2", "--set", "B=8")).isEqualTo(ExitCodes.FINE);
    assertThat(oriel("prove", text, "--world", "1x2")).isEqualTo(ExitCodes.VIOLATION);
    assertThat(fact("verdict")).startsWith("VIOLATION (refused): B=2048 in 1x2 ");
  }

  /** What binding cannot exclude is named, and fails only with --strict. */
  @Test
  void aSizeInDoubtIsNamed() throws IOException {
    String text =
        file(
            "large",
            LARGE.replace("WRONG", "load w <- in[0] <= 9 else 1 let half = B / (w + B - B)"));
    assertThat(check(text, "--world", "1x2")).as("%s", out).isEqualTo(ExitCodes.FINE);
    assertThat(fact("verdict")).contains("but not for B=2048", "divisor may be zero");
    assertThat(check(text, "--world", "1x2", "--strict")).isEqualTo(ExitCodes.VIOLATION);
  }

  /** A text for two ranks names a rank in other worlds that does not exist there. */
  @Test
  void aTextStatesTheWorldsForWhichItIsMeant() throws IOException {
    String text =
        """
        form two
        param B <= 100
        input in[B]
        output out[B]
        ensure out[0] = in@((r + 1) % n)[0] bytes B
        signal READY[1]
        lane main: sm(32) {
          signal READY[0]@(1 - r) set 2 * epoch - 1 release
          await READY[0]@(1 - r) reached 2 * epoch - 1 acquire
          move out[0] <- in@(1 - r)[0] bytes B
          sync
          signal READY[0]@(1 - r) set 2 * epoch release
          await READY[0]@(1 - r) reached 2 * epoch acquire
        }
        """;
    String two = file("two", text);
    assertThat(check(two)).as("%s", out).isEqualTo(ExitCodes.FINE);
    assertThat(fact("refused")).contains("peer is not a rank");
    assertThat(fact("verdict"))
        .startsWith("nothing found, but not for B=100 in 1x3 and ")
        .contains("peer is not a rank");
    assertThat(fact("next")).startsWith("oriel check " + two + " --world 1x3 --set B=100");
    assertThat(check(two, "--strict")).isEqualTo(ExitCodes.VIOLATION);
    assertThat(out.toString()).contains("8:19: peer is not a rank");
    String meant = file("meant", text.replace("form two\n", "form two\nrequire n == 2\n"));
    assertThat(check(meant, "--strict")).as("%s", out).isEqualTo(ExitCodes.FINE);
    assertThat(fact("verdict")).isEqualTo("nothing found");
  }

  /** A mistake in a branch for more ranks shows in whole worlds. */
  @Test
  void strictFailsIfALargerWorldHasAPeerThatIsNoRank() throws IOException {
    String text =
        file(
            "larger",
            """
            form larger
            signal DATA[1]
            lane main: sm(32) {
              if n > 3 {
                signal DATA[0]@(r + 1) set epoch release
              } else {
                signal DATA[0]@((r + 1) % n) set epoch release
              }
              await DATA[0]@((r - 1) % n) reached epoch acquire
            }
            """);
    assertThat(check(text)).isEqualTo(ExitCodes.FINE);
    assertThat(fact("verdict")).contains("but not for 2x2 and ").contains("peer is not a rank");
    assertThat(fact("next")).startsWith("oriel check " + text + " --world 2x2");
    assertThat(check(text, "--strict")).isEqualTo(ExitCodes.VIOLATION);
    assertThat(fact("verdict")).startsWith("VIOLATION (refused): 2x2 and ");
  }

  /** Only with nine and more ranks is a size special; these worlds are not searched. */
  @Test
  void sizesThatOnlyALargerWorldImpliesAreExecutedOnce() throws IOException {
    String text =
        file(
            "shared",
            LARGE
                .replace("WRONG", "")
                .replace("param B <= 4096", "param B <= 8192")
                .replace("bytes B }", "bytes min(B, 65536 / n) }"));
    assertThat(check(text, "--no-shrink")).as("%s", out).isEqualTo(ExitCodes.VIOLATION);
    assertThat(fact("program")).contains("B=7282");
    assertThat(fact("world")).startsWith("1x9: ");
  }

  /** Of 17 ranks the last one is reached in no round. */
  @Test
  void aTreeWithTooFewRoundsIsExecutedWithOneRankMore() throws IOException {
    String text =
        file(
            "tree",
            """
            form tree
            param B <= 1024
            input in[B]
            output out[B]
            signal READY[1]
            signal DATA[1]
            ensure out[0] = in@0[0] bytes B
            lane main: sm(128) {
              signal READY[0]@all set epoch release
              await READY[0]@all reached epoch acquire
              if r == 0 { move out[0] <- in[0] bytes B sync }
              for k < 4 {
                if r < 1 << k and r + (1 << k) < n {
                  move out@(r + (1 << k))[0] <- out[0] bytes B
                  signal DATA[0]@(r + (1 << k)) set epoch release
                  flush @(r + (1 << k)) local
                }
                if r >= 1 << k and r < 2 << k {
                  await DATA[0]@(r - (1 << k)) reached epoch acquire
                }
              }
            }
            """);
    assertThat(check(text, "--no-shrink")).isEqualTo(ExitCodes.VIOLATION);
    assertThat(fact("world")).startsWith("1x17: ");
    String five =
        Files.readString(Path.of(text))
            .replace("k < 4", "k < 5")
            .replace("param", "require n <= 32\nparam");
    assertThat(check(file("five", five), "--strict")).isEqualTo(ExitCodes.FINE);
  }

  /** Three ranks alone are wrong, and only in launch 200. */
  @Test
  void theFirstSizeOfEachWorldHasAsManyLaunches() throws IOException {
    String text =
        file(
            "later",
            """
            form later
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
              if n == 3 and epoch % 210 == 200 {
                signal DATA[0]@succ set epoch relaxed
              } else {
                signal DATA[0]@succ set epoch release
              }
              await DATA[0]@pred reached epoch acquire
              flush @succ local
            }
            """);
    assertThat(check(text, "--no-shrink")).as("%s", out).isEqualTo(ExitCodes.VIOLATION);
    assertThat(fact("world")).startsWith("1x3: ");
  }

  /** The size that is special is too large to be searched in worlds of three ranks. */
  @Test
  void whatASearchLeavesOutIsExecutedOnce() throws IOException {
    String text =
        file(
            "heavy",
            """
            form heavy
            param B <= 1048576
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
              if B <= 777777 {
                move out@succ[0] <- in[0] bytes B
              } else {
                move out@pred[0] <- in[0] bytes B
              }
              signal DATA[0]@succ set epoch release
              await DATA[0]@pred reached epoch acquire
              flush @succ local
            }
            """);
    assertThat(check(text, "--no-shrink")).isEqualTo(ExitCodes.VIOLATION);
    assertThat(fact("program")).startsWith("heavy, B=77777");
    assertThat(fact("world")).startsWith("1x3: ");
  }

  @Test
  void theNextCommandHasEachValueOnce() throws IOException {
    String text =
        file("right", LARGE.replace("WRONG", "").replace("B <= 4096", "B <= 4096\nparam T <= 4"));
    assertThat(check(text, "--world", "1x2", "--set", "B=8", "--set", "T=2"))
        .isEqualTo(ExitCodes.FINE);
    assertThat(fact("next")).containsOnlyOnce("--set B=8").containsOnlyOnce("--set T=2");
  }

  /** With three ranks another size is special; it is tried there before other sizes are. */
  @Test
  void sizesOfAnotherWorldComeFirstThere() throws IOException {
    String text =
        file(
            "residue",
            LARGE
                .replace("WRONG", "")
                .replace("if B < 2048 {", "if (B * 7 + n * 13) % 997 != 123 {")
                .replace("else {  move out[0] <- in[0] bytes B }", ""));
    assertThat(check(text, "--no-shrink")).as("%s", out).isEqualTo(ExitCodes.VIOLATION);
    assertThat(fact("world")).contains("3 ranks");
    assertThat(fact("program")).contains("B=12");
  }

  /** Bytes are rounded up, so every other size leaves the buffers. */
  private static final String ROUNDED =
      """
      form rounded
      param B <= 100
      input in[B]
      output out[B]
      ensure out[0] = in[0] bytes B
      lane main: sm(32) { move out[0] <- in[0] bytes ceil(B, 8) * 8 }
      """;

  /** The default size is no multiple of 8 here; then another one within the range is refused. */
  @Test
  void anAccessOutsideItsBufferWithASizeOfTheRangeFails() throws IOException {
    String rounded = file("rounded", ROUNDED.replace("100", "96"));
    assertThat(check(rounded, "--world", "1x2")).isEqualTo(ExitCodes.VIOLATION);
    assertThat(fact("verdict")).startsWith("VIOLATION (refused): B=1 in 1x2 ");
    assertThat(fact("refused")).endsWith("in 1x2: region outside its buffer");
    assertThat(oriel("prove", rounded, "--world", "1x2")).isEqualTo(ExitCodes.VIOLATION);
    assertThat(fact("verdict")).startsWith("VIOLATION (refused): B=1 in 1x2 ");
    assertThat(oriel("check", rounded, "--world", "1x2", "--json")).isEqualTo(1);
    assertThat(out.toString()).contains("\"kind\":\"refused\"", "\"verdict\":\"violation\"");
  }

  @Test
  void aRequirementExcludesWhatTheTextIsNotMeantFor() throws IOException {
    String whole =
        file("whole", ROUNDED.replace("input in", "require B % 8 == 0 and n == 2\ninput in"));
    assertThat(check(whole)).as("%s%s", out, err).isEqualTo(ExitCodes.FINE);
    assertThat(fact("verdict")).isEqualTo("nothing found");
    assertThat(fact("program")).contains("of 0..100").doesNotContain("B=0, 1,");
    assertThat(check(whole, "--world", "1x3")).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString())
        .contains("not meant for these values: form=rounded, world=3, B=")
        .contains("require=B % 8 == 0 and n == 2; choose a world and values for which it holds");
    assertThat(oriel("run", whole, "--world", "1x2", "--set", "B=9")).isEqualTo(2);
    assertThat(err.toString()).contains("not meant for these values");
  }

  /** The default size, and 0, have no remainder that the text could require. */
  @Test
  void aRequirementThatNoSizeSatisfiesIsRefusedAsSuch() throws IOException {
    String none = file("none", ROUNDED.replace("input in", "require 7 % B == 9\ninput in"));
    assertThat(check(none)).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains("not meant for these values: form=rounded");
  }

  /** A program for two ranks may be meant so: its verdict names the world, and strictness fails. */
  private static final String OF_TWO =
      """
      form of_two
      input in[8]
      output out[8]
      scratch box[8]
      signal DATA[1]
      barrier all_in
      ensure out[0] = in@((r + 1) % n)[0] bytes 8
      lane main: sm(32) {
        barrier all_in
        if n < 3 { signal DATA[0]@((r - 1) % n) set epoch release }
        await DATA[0]@((r + 1) % n) reached epoch acquire
        get out[0] <- in@((r + 1) % n)[0] bytes 8
        barrier all_in
      }
      """;

  @Test
  void aWorldInWhichALaneWaitsForEverIsNamedInTheVerdict() throws IOException {
    String two =
        file("two", OF_TWO.replace("input in", "window in").replace("window in[8]", "input in[8]"));
    assertThat(check(two)).as("%s%s", out, err).isEqualTo(ExitCodes.FINE);
    assertThat(fact("verdict"))
        .contains("nothing found", ", but not for ")
        .contains("1x3")
        .contains(": wait that nothing matches");
    assertThat(check(two, "--strict")).isEqualTo(ExitCodes.VIOLATION);
    assertThat(fact("verdict")).startsWith("VIOLATION (refused): ");
    file("two", OF_TWO.replace("signal DATA[1]", "require n == 2\nsignal DATA[1]"));
    assertThat(check(two, "--strict")).as("%s%s", out, err).isEqualTo(ExitCodes.FINE);
  }

  /** A folder says no less of a text than the text's own check. */
  @Test
  void aFolderNamesTheSameDoubts() throws IOException {
    file("rounded", ROUNDED.replace("100", "96"));
    file("silent", "form silent\nlane main: sm(32) { sync }\n");
    file("two", OF_TWO);
    Files.delete(folder.resolve("picky"));
    for (String name : List.of("rounded", "silent", "two")) {
      Files.move(folder.resolve(name), folder.resolve(name + ".oriel"));
    }
    Path junit = folder.resolve("report");
    assertThat(oriel("check", folder.toString(), "--junit", junit.toString()))
        .isEqualTo(ExitCodes.VIOLATION);
    assertThat(out.toString())
        .containsPattern("VIOLATION  rounded +rounded.oriel\n +rounded, line 6: refused: B=1 in")
        .containsPattern("unpromised silent +silent.oriel")
        .containsPattern("two.oriel\n +(nothing found within[^\n]*\n *)*.*not for ");
    assertThat(Files.readString(junit)).contains("type=\"refused\"");
    Files.delete(folder.resolve("rounded.oriel"));
    assertThat(oriel("check", folder.toString())).isEqualTo(ExitCodes.FINE);
    assertThat(oriel("check", folder.toString(), "--strict")).isEqualTo(ExitCodes.VIOLATION);
  }

  /** Input words take their turns in later launches, in every order. */
  @Test
  void laterLaunchesAreCoveredForSomeInputWords() throws IOException {
    String words =
        file(
            "words",
            """
            form words
            input c[8]
            input in[24]
            output out[24]
            ensure load k <- c[0] <= 24: out[0] = in[0] bytes k
            lane main: sm(32) {
              state last
              load k <- c[0] <= 24 else 1
              if last == 24 {
                if k != 0 { move out[0] <- in[0] bytes k }
              } else {
                move out[0] <- in[0] bytes k
              }
              set last = k
            }
            """);
    assertThat(check(words, "--world", "1x2")).as("%s%s", out, err).isEqualTo(ExitCodes.FINE);
    assertThat(fact("explored")).contains("then any number with 4 draws");
    assertThat(fact("not looked at")).contains("other words of c");
    assertThat(oriel("prove", words, "--world", "1x2")).isEqualTo(ExitCodes.VIOLATION);
    assertThat(out.toString()).contains("some words of c, not all");
    String wrong = file("wrong", Files.readString(Path.of(words)).replace("k != 0", "k == 0"));
    assertThat(check(wrong, "--world", "1x2", "--no-shrink")).isEqualTo(ExitCodes.VIOLATION);
    assertThat(oriel("replay", token(), wrong)).isEqualTo(ExitCodes.VIOLATION);
  }

  /** Worlds of more ranks are added where the text asks for so many. */
  @ParameterizedTest
  @CsvSource({"n == 6, 1x6", "n > 7, 1x8", "r == 6, 1x7", "n / 4 == 2, 1x8"})
  void theTextAddsLargerWorlds(String when, String world) throws IOException {
    String many =
        file(
            "many",
            """
            form many
            input in[8]
            output out[8]
            ensure out[0] = in[0] bytes 8
            lane main: sm(32) {
              if %s { sync } else { move out[0] <- in[0] bytes 8 }
            }
            """
                .formatted(when));
    assertThat(check(many, "--no-shrink")).isEqualTo(ExitCodes.VIOLATION);
    assertThat(fact("world")).startsWith(world + ": ");
  }

  /** No argument covers all launches, so some of these are drawn. */
  @Test
  void laterLaunchesAreDrawnWhereTheyAreNotCovered() throws IOException {
    String late =
        file(
            "long",
            """
            form long
            input in[8]
            output out[8]
            ensure out[0] = in[0] bytes 8
            lane main: sm(32) {
              if epoch != 257 { move out[0] <- in[0] bytes 8 }
            }
            """);
    assertThat(check(late, "--no-shrink")).isEqualTo(ExitCodes.VIOLATION);
    assertThat(fact("explored")).startsWith("1 execution of 300 launches, which fails");
    assertThat(oriel("replay", token(), late)).isEqualTo(ExitCodes.VIOLATION);
    String right = file("right", Files.readString(Path.of(late)).replace("!= 257", "!= 2570"));
    assertThat(check(right)).isEqualTo(ExitCodes.FINE);
    assertThat(fact("explored")).contains("3 launches each, then drawn executions of up to 300");
    assertThat(fact("not looked at")).contains("most orders of more than 3 launches");
    assertThat(check(late, "--launches", "3")).isEqualTo(ExitCodes.FINE);
    assertThat(fact("not looked at")).contains("bugs that need more than 3 launches");
  }

  @Test
  void defaultWorldsAreSmallAndOfSeveralShapes() {
    assertThat(check("barrier")).isEqualTo(ExitCodes.FINE);
    assertThat(fact("world"))
        .isEqualTo("1x2, 2x1, 1x3, 2x2, 1x1, 3x1, 1x4, 3+1, 1x5; by NVLink and RDMA");
    assertThat(fact("not looked at")).contains("worlds other than these").doesNotContain("RDMA");
    assertThat(check("barrier", "--world", "1x3")).isEqualTo(ExitCodes.FINE);
    assertThat(fact("world")).startsWith("1x3: 3 ranks");
    assertThat(check("pull-allreduce", "--set", "B=8")).isEqualTo(ExitCodes.FINE);
    assertThat(fact("world")).isEqualTo("1x2, 1x3, 1x1, 1x4, 1x5; by NVLink, no network");
    assertThat(fact("refused")).startsWith("2x1, 2x2, 3x1, 3+1: ");
    assertThat(check(picky, "--set", "T=0")).isEqualTo(ExitCodes.FINE);
    assertThat(fact("world"))
        .startsWith("1x2, 2x1, 1x3, 2x2, 1x1, 3x1, 1x4, 3+1, 1x5 with 8 sizes each; by ");
  }

  @Test
  void worldsThatAProgramRejectsAreReported() throws IOException {
    String three =
        file(
            "three",
            """
            form three
            signal S[1]
            lane main: sm(32) {
              if r == 0 { signal S[0]@2 set epoch release }
              if r == 2 { await S[0]@0 reached epoch acquire }
            }
            """);
    assertThat(check(three)).isEqualTo(ExitCodes.FINE);
    assertThat(fact("world")).isEqualTo("1x3, 2x2, 3x1, 1x4, 3+1, 1x5; by NVLink and RDMA");
    assertThat(fact("refused")).isEqualTo("1x2, 2x1, 1x1: peer is not a rank");
    assertThat(check(three, "--world", "1x2")).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains("peer is not a rank");
  }

  /** Copy engines post no requests, which the library derives from the form and not from a run. */
  @Test
  void networksAreLeftOutWhereAProgramReliesOnMappedMemory() {
    assertThat(check("copy-broadcast", "--set", "B=8", "--set", "root=1"))
        .isEqualTo(ExitCodes.FINE);
    assertThat(fact("world")).isEqualTo("1x2, 1x3, 1x1, 1x4, 1x5; by NVLink, no network");
    assertThat(fact("refused")).startsWith("2x1, 2x2, 3x1, 3+1: relies on mapped memory");
    assertThat(fact("not looked at")).startsWith("RDMA (not for this program)");
    assertThat(check("copy-broadcast", "--set", "B=8", "--world", "2x1", "--no-shrink"))
        .isEqualTo(ExitCodes.VIOLATION);
  }

  /** A shard belongs to a single combination; default values are unchanged. */
  @Test
  void aShardBelongsToOneCombination() {
    String file = folder.resolve("part.json").toString();
    assertThat(check(picky, "--set", "T=1", "--shard", "1/2", "--json", file))
        .isEqualTo(ExitCodes.FINE);
    assertThat(fact("program")).isEqualTo("picky, B=64 of 0..64, T=1 of 0..3");
    assertThat(fact("world")).startsWith("1x2: ");
  }

  /** More effort covers combinations that the default leaves out. */
  @Test
  void moreEffortLeavesOutFewerCombinations() {
    int usual = skipped("1");
    assertThat(usual).isPositive();
    assertThat(skipped("3")).isLessThan(usual);
    assertThat(check("expert-counts", "--effort", "0")).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).startsWith("oriel: number out of range: option=--effort");
  }

  private int skipped(String effort) {
    assertThat(check("allgather", "--effort", effort, "--verbose")).isEqualTo(ExitCodes.FINE);
    return LEFT_OUT
        .matcher(out.toString())
        .results()
        .mapToInt(found -> Integer.parseInt(found.group(1)))
        .findFirst()
        .orElse(0);
  }

  @Test
  void strictChecksEveryCombination() throws IOException {
    String half = file("half", PICKY.replace("[0] bytes B\n\n", "[0] bytes min(B, 40)\n\n"));
    assertThat(check(half, "--world", "1x2", "--set", "B=1,41", "--set", "T=0", "--strict"))
        .isEqualTo(ExitCodes.VIOLATION);
    assertThat(fact("verdict")).startsWith("VIOLATION (unpromised)");
    assertThat(fact("not promised")).startsWith("1x2 B=41 T=0: 2 of 82 output bytes");
    assertThat(fact("next")).startsWith("write an ensure for the bytes above");
    assertThat(check(half, "--world", "1x2", "--set", "B=1,40", "--set", "T=0", "--strict"))
        .isEqualTo(ExitCodes.FINE);
  }

  /** The first draw alone, whose words are at most 128. */
  private static CheckReport smallWords(String text) {
    Topology topology = Topology.parse("1x2");
    return new Checker(Strategy.PORTFOLIO, Budget.DEFAULT, 1, Checker.strict(Profile.L2, 3))
        .explore(Program.bind(FormParser.parse(text), topology.world(), Map.of()), topology);
  }

  static List<Path> mutants() throws IOException {
    try (Stream<Path> files = Files.walk(MUTANTS)) {
      return files.filter(file -> file.toString().endsWith(".oriel")).sorted().toList();
    }
  }

  /**
   * Repaired programs of the museum with a mistake that does not occur with two ranks, a usual
   * size, three launches and small words of inputs.
   */
  @ParameterizedTest
  @MethodSource("mutants")
  void mistakesOfOtherSizesWorldsAndLaunchesAreFoundByDefault(Path mutant) throws IOException {
    String text = Files.readString(mutant);
    String kind = text.lines().filter(l -> l.startsWith("-- finds: ")).findFirst().orElseThrow();
    List<String> usual = new ArrayList<>(List.of("--no-shrink", "--launches", "3"));
    usual.addAll(List.of("--world", text.contains("atomic ") ? "2x1" : "1x2"));
    if (text.contains("param B")) {
      usual.addAll(List.of("--set", "B=1000"));
    }
    if (mutant.startsWith(MUTANTS.resolve("values"))) {
      assertThat(smallWords(text).found()).isEmpty();
    } else {
      assertThat(check(mutant.toString(), usual.toArray(String[]::new))).isEqualTo(ExitCodes.FINE);
    }
    assertThat(check(mutant.toString(), "--no-shrink")).isEqualTo(ExitCodes.VIOLATION);
    assertThat(fact("verdict"))
        .isEqualTo("VIOLATION (%s)".formatted(kind.substring("-- finds: ".length())));
    assertThat(oriel("replay", token(), mutant.toString())).isEqualTo(ExitCodes.VIOLATION);
    String repaired =
        file(
            "repaired",
            text.lines()
                .filter(line -> !line.endsWith("---"))
                .map(line -> line.replace("--+ ", ""))
                .reduce("", (all, line) -> all + line + "\n"));
    assertThat(check(repaired)).as(out.toString()).isEqualTo(ExitCodes.FINE);
  }

  /** Right in all worlds and sizes that the plan has; what decides is no comparison of a name. */
  private static final String GATHER =
      """
      form gather
      param B <= 64
      param T <= 9
      input in[B]
      output out[n * B]
      barrier begun
      ensure each p in all: out[p * B] = in@p[0] bytes B
      lane main: sm(32) {
        barrier begun
        BODY
        barrier begun
      }
      """;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "each q in all { move out@q[min(r * B, 5 * B)] <- in[0] bytes B }",
        "each q in all { move out@q[(r - (r >> 3)) * B] <- in[0] bytes B }",
        "for k < min(n, T + 5) { move out@((r + k) % n)[r * B] <- in[0] bytes B }"
      })
  void moreWorldsAreExecutedOnce(String body) throws IOException {
    String text = file("gather", GATHER.replace("BODY", body));
    assertThat(check(text, "--no-shrink")).as("%s", out).isEqualTo(ExitCodes.VIOLATION);
    assertThat(fact("world")).containsPattern(": (9|16) ranks");
    assertThat(oriel("replay", token(), text)).isEqualTo(ExitCodes.VIOLATION);
    assertThat(oriel("prove", text)).isEqualTo(ExitCodes.VIOLATION);
    String right = file("right", GATHER.replace("BODY", "move out@all[r * B] <- in[0] bytes B"));
    assertThat(check(right, "--verbose")).isEqualTo(ExitCodes.FINE);
    assertThat(out.toString()).containsPattern("one execution of each of \\d+ other combinations");
    assertThat(check(text, "--world", "1x4", "--set", "B=8", "--set", "T=9"))
        .isEqualTo(ExitCodes.FINE);
    assertThat(out.toString()).doesNotContain("one execution of each");
  }

  /** A text that leaves its memory from 9 ranks on accepts these worlds. */
  @Test
  void aRefusalInALargerWorldIsNamed() throws IOException {
    String eight =
        file(
            "eight",
            GATHER
                .replace("barrier begun\nensure", "scratch box[8 * B]\nbarrier begun\nensure")
                .replace(
                    "BODY",
                    "move out@all[r * B] <- in[0] bytes B move box[r * B] <- in[0] bytes B"));
    assertThat(check(eight)).isEqualTo(ExitCodes.FINE);
    assertThat(fact("verdict")).contains("but not for", "region outside its buffer");
    assertThat(check(eight, "--strict")).isEqualTo(ExitCodes.VIOLATION);
  }
}
