package dev.oriel.domain.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.oriel.domain.binding.BoundPostCondition;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.FormPrinter;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.parse.FormParser;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InPlaceTest {
  private static final String LANE = "lane main: sm(32) {\n%s\n}";

  private static Form form(String declarations, String... operations) {
    return FormParser.parse(
        "form f\nparam B <= 64\n%s\n%s"
            .formatted(declarations, LANE.formatted(String.join("\n", operations))));
  }

  private static final String GATHER =
      "input in[B]\noutput out[n * B]\nscratch box[n * B]\nsignal S[1]\n"
          + "ensure each p in all: out[p * B] = in@p[0] bytes B";

  private static final String REDUCE =
      "input in[n * B]\noutput out[B]\nscratch box[n * B]\nsignal S[1]\n"
          + "ensure out[0] = sum int8 in int32 (for p < n: in@p[r * B]) bytes B";

  private static final String BOTH =
      "input in[B]\noutput out[B]\nscratch box[n * B]\nsignal S[1]\n"
          + "ensure out[0] = max int8 in int8 (for p < n: in@p[0]) bytes B";

  private static List<String> lines(Form form) {
    return FormPrinter.print(InPlace.of(form)).lines().map(String::strip).toList();
  }

  @Test
  void anInputIsItsBlockOfTheOutputAndIsNotCopiedThere() {
    assertThat(
            lines(
                form(
                    GATHER,
                    "move out[r * B] <- in[0] bytes B",
                    "move out@peers[B * r] <- in[0] bytes B",
                    "move box[0] <- in[8] bytes 8",
                    "move out[((r + 1) % n) * B] <- box[0] bytes B")))
        .contains(
            "form f-in-place",
            "inout out[n * B]",
            "ensure each p in all: out[p * B] = out@p[p * B] bytes B",
            "move out@peers[B * r] <- out[r * B] bytes B",
            "move box[0] <- out[r * B + 8] bytes 8")
        .doesNotContain("move out[r * B] <- out[r * B] bytes B", "sync");
  }

  @Test
  void aCopyToAllRanksOmitsTheRankItself() {
    assertThat(lines(form(GATHER, "move out@all[r * B] <- in[0] bytes B")))
        .contains("move out@peers[r * B] <- out[r * B] bytes B");
    assertThat(
            lines(
                form(
                    GATHER,
                    "each p in all { move out@p[r * B] <- in[0] bytes B }",
                    "each p in all { move out[p * B] <- in@p[0] bytes B }")))
        .containsSubsequence("if p != r {", "move out@p[r * B] <- out[r * B] bytes B", "}", "}")
        .containsSubsequence("if p != r {", "move out[p * B] <- out@p[p * B] bytes B", "}", "}");
  }

  @Test
  void anOutputIsItsBlockOfTheInput() {
    assertThat(
            lines(
                form(
                    REDUCE,
                    "move box@peers[r * B] <- in[0] bytes B",
                    "sync",
                    "move out[0] <- sum int8 in int32 (in[r * B], box[0]) bytes B",
                    "move out@((r + 1) % n)[4] <- box[0] bytes 4")))
        .contains(
            "inout out[n * B]",
            "ensure out[r * B] = sum int8 in int32 (for p < n: out@p[r * B]) bytes B",
            "move out[r * B] <- sum int8 in int32 (out[r * B], box[0]) bytes B",
            "move out@((r + 1) % n)[(r + 1) % n * B + 4] <- box[0] bytes 4");
  }

  @Test
  void aLaneThatReadsAndThenWritesIsOrderedOnce() {
    assertThat(
            lines(
                form(
                    BOTH,
                    "move box@all[r * B] <- in[0] bytes B",
                    "each p in all { move out[0] <- max int8 in int8 (box[0], box[p * B]) bytes B }",
                    "move out[0] <- box[0] bytes B")))
        .containsSubsequence("move box@all[r * B] <- out[0] bytes B", "sync", "each p in all {")
        .containsOnlyOnce("sync");
    assertThat(
            lines(
                form(
                    BOTH,
                    "move box@all[r * B] <- in[0] bytes B",
                    "await S[0]@peers reached epoch acquire",
                    "move out[0] <- box[0] bytes B")))
        .doesNotContain("sync");
  }

  @Test
  void aWritingIterationIsOrderedAfterReadsOfThePreviousOne() {
    assertThat(
            lines(
                form(
                    BOTH,
                    "for t < 4 {",
                    "move out[0] <- box[0] bytes B",
                    "move box@all[r * B] <- in[0] bytes B",
                    "}")))
        .containsSubsequence("for t < 4 {", "sync", "move out[0] <- box[0] bytes B")
        .containsOnlyOnce("sync");
    assertThat(
            lines(
                form(
                    BOTH,
                    "for t < 4 {",
                    "move out[0] <- box[0] bytes B",
                    "move box@all[r * B] <- in[0] bytes B",
                    "await S[0]@peers reached epoch acquire",
                    "}")))
        .doesNotContain("sync");
  }

  @Test
  void ofLanesThatAllCopyOntoThemselvesOneIsLeft() {
    Form form =
        FormParser.parse(
            "form f\nparam B <= 64\n"
                + GATHER
                + "\nlane own: sm(32) { move out[r * B] <- in[0] bytes B }\n"
                + "lane too: sm(32) { move out[r * B] <- in[0] bytes B }");
    assertThat(InPlace.of(form).lanes()).extracting("name").containsExactly("own");
  }

  @Test
  void lanesThatOnlyCopyOntoThemselvesAreRemoved() {
    Form form =
        FormParser.parse(
            "form f\nparam B <= 64\n"
                + GATHER
                + "\nlane own: sm(32) { if n > 1 { move out[r * B] <- in[0] bytes B } }\n"
                + "lane main: sm(32) { move box[0] <- in[0] bytes B }");
    assertThat(InPlace.of(form).lanes()).extracting("name").containsExactly("main");
  }

  @Test
  void aPlaceOfOneRankBelongsToThatRankOnly() {
    Form form =
        form(
            "param root <= 9\ninput in[n * B]\noutput out[B]\n"
                + "ensure out[0] = in@(root % n)[r * B] bytes B",
            "move out[0] <- in[0] bytes B");
    Program program = Program.bind(InPlace.of(form), 3, Map.of("B", 8L, "root", 4L));
    assertThat(program.rank(0).claims(BoundPostCondition.InitialContents.UNKNOWN))
        .allSatisfy(claim -> assertThat(claim.actualOffset()).isZero());
    assertThat(program.rank(1).claims(BoundPostCondition.InitialContents.UNKNOWN))
        .allSatisfy(claim -> assertThat(claim.actualOffset()).isEqualTo(8));
  }

  @Test
  void largeWorldsAreBoundAsBefore() {
    Form form = form(GATHER, "move out@((r + 1) % n)[r * B] <- in[0] bytes B");
    assertThat(Program.bind(InPlace.of(form), 1000, Map.of("B", 8L)).rank(999).bytes("out"))
        .isEqualTo(8000);
  }

  @Test
  void programsThatCannotUseOneBufferAreRejectedByName() {
    refuses(form("input a[8]\ninput b[8]\noutput out[8]", "sync"), "inputs=[a, b]");
    refuses(form("input in[8]", "sync"), "outputs=[]");
    refuses(form("input in[8]\noutput out[8]", "sync"), "places=0");
    refuses(
        form(
            "input in[8 * n]\noutput out[8 * n]\n"
                + "ensure out[0] = in[0] bytes 8\nensure out[8 * r] = in[0] bytes 8",
            "sync"),
        "places=2");
    refuses(
        form(
            "input in[8]\noutput out[8 * n]\nensure for t < n: out[8 * t] = in[0] bytes 8", "sync"),
        "depends on more than its rank");
    refuses(form(REDUCE, "move out@all[0] <- box[0] bytes B"), "writes to several ranks at once");
    refuses(form(GATHER, "move t: out[r * B] <- in[0] bytes B", "await ticket t"), "ticket=t");
  }

  private static void refuses(Form form, String why) {
    assertThatExceptionOfType(ProgramException.class)
        .isThrownBy(() -> InPlace.of(form))
        .withMessageContaining("no form in place: form=f")
        .withMessageContaining(why)
        .withMessageContaining("leave in place out");
  }

  @ParameterizedTest
  @CsvSource({
    "a + b, b + a, true",
    "(a + b) * c, c * b + a * c, true",
    "a - b + b, a, true",
    "2 * a, a + a, true",
    "a, b, false",
    "a / 2 + a / 2, a, false",
    "a * 0, 0, true"
  })
  void equalSumsAreRecognised(String one, String other, boolean same) {
    assertThat(sum(one).equals(sum(other))).isEqualTo(same);
  }

  private static SumOfProducts sum(String text) {
    Expr value =
        FormParser.parse(
                "form f\nparam a <= 9\nparam b <= 9\nparam c <= 9\nlet x = %s\n%s"
                    .formatted(text, LANE.formatted("sync")))
            .definitions()
            .getFirst()
            .value();
    return SumOfProducts.of(value);
  }
}
