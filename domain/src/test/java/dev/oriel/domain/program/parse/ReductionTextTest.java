package dev.oriel.domain.program.parse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.domain.binding.BoundPostCondition;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.data.DataType;
import dev.oriel.domain.data.ReduceOp;
import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.FormPrinter;
import dev.oriel.domain.program.Grouping;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.ShippedText;
import dev.oriel.domain.rewrite.ReductionEdits;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReductionTextTest {
  private static final String MOVE =
      "move out[0] <- sum fp32 in fp32 (for p < n: box[p * B]) bytes B";
  private static final String ENSURE =
      "ensure out[0] = sum fp32 in fp32 (for p < n: in@p[0]) bytes B";

  private static String text(String ensure, String move) {
    return """
    form f
    param B <= 4096
    let mine = r
    input in[B]
    output out[B]
    scratch box[n * B]
    %s
    lane main: sm(32) {
      let c = epoch & 1
      %s
    }
    """
        .formatted(ensure, move);
  }

  private static Form form(String ensure, String move) {
    return FormParser.parse(text(ensure, move));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          sum fp32 in fp32 (for p < n: in@p[0])
          avg bf16 in fp32 (in@(1)[0], for p < n - 1: in@((p + 1) % n)[0], in[0])
          max int8 in int32 stepwise (for p < n: in@p[0])
          sum int64 in int64 any (for p < n: in@p[0])
          prod bf16 in fp32 folded (for p < n: in@p[0])
          sum fp32 in fp32 by 2 (for p < n: in@p[0])
          sum fp32 in fp32 by n / 2 + 1 (for p < n: in@p[0])
          min fp16 in fp32 any (in@(0)[0], in@(1)[0])
          """)
  void aPostConditionReadsBackAsItIsPrinted(String made) {
    Form form = form("ensure out[0] = " + made + " bytes B", MOVE);
    assertThat(FormPrinter.print(form)).contains(" = " + made + " bytes B\n").contains(MOVE);
    assertThat(FormParser.parse(FormPrinter.print(form))).isEqualTo(form);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          move out[0] <- for p < n: box[p * B] bytes B                            | unexpected word
          move out[0] <- sum fp32 in fp32 (for p < mine: box[p * B]) bytes B      | not known at binding
          move out[0] <- sum fp32 in fp32 (for p < c: box[p * B]) bytes B         | not known at binding
          move out[0] <- sum fp32 in fp32 (for c < n: box[c * B]) bytes B         | duplicated name
          move out[0] <- sum fp32 in fp32 (for p < n: in[0], box[p * B]) bytes B  | unknown name
          move out[0] <- sum fp32 in fp32 (for p < n: box@peers[p * B]) bytes B   | a source is one rank's memory
          move out[0] <- sum fp32 in fp32 () bytes B                              | expected=a buffer name
          move out[0] <- sum fp32 in int32 (for p < n: box[p * B]) bytes B        | unfit accumulator
          """)
  void refusesMoves(String move, String finding) {
    assertThatThrownBy(() -> form(ENSURE, move))
        .isInstanceOf(ProgramException.class)
        .hasMessageContaining("line=");
    String message = message(() -> form(ENSURE, move));
    if (!finding.startsWith("expected") && !finding.startsWith("unexpected")) {
      assertThat(message).contains(finding);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          avg fp32 in fp32 stepwise (for p < n: in@p[0])  | an average in steps
          avg int32 in int32 any (for p < n: in@p[0])     | an average in steps
          avg fp32 in fp32 folded (for p < n: in@p[0])    | an average in steps
          avg fp32 in fp32 by 2 (for p < n: in@p[0])      | an average in steps
          sum fp32 in fp32 by mine (for p < n: in@p[0])   | not known at binding
          sum fp32 in fp32 any (for p < n: in@p[0])       | a rounded result in any order
          prod bf16 in fp32 any (for p < n: in@p[0])      | a rounded result in any order
          sum bf16 in fp16 (for p < n: in@p[0])           | unfit accumulator
          sum fp32 in fp32 (for p < n: in@all[0])         | expected bytes of several ranks
          sum fp32 in fp32 (for p < mine: in@p[0])        | not known at binding
          """)
  void refusesPostConditions(String made, String finding) {
    assertThat(message(() -> form("ensure out[0] = " + made + " bytes B", MOVE)))
        .startsWith(finding);
  }

  @Test
  void aFormStatesTheOrderOfAllItsReductionsOrOfNone() {
    String any = "ensure out[0] = sum int32 in int32 any (for p < n: in@p[0]) bytes B";
    assertThat(message(() -> form(any + "\n" + ENSURE, MOVE)))
        .startsWith("post-conditions with and without an order");
    assertThat(form(any + "\nensure out[0] = in[0] bytes 0", MOVE).ensures()).hasSize(2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          move out[0] <- sum fp32 in fp32 (for p < n + 1: box[p * B]) bytes B    | 2 | 8 | region outside its buffer
          move out[0] <- sum fp32 in fp32 (for p < n: in@(p + 1)[0]) bytes B     | 2 | 8 | peer is not a rank
          move out[0] <- sum fp32 in fp32 (for p < n - 1: box[p * B]) bytes B    | 1 | 8 | nothing to reduce
          move out[0] <- sum fp32 in fp32 (for p < n - 2: box[p * B]) bytes B    | 1 | 8 | number of sources out of range
          move out[0] <- sum fp32 in fp32 (for p < n: box[p * 2]) bytes B        | 2 | 8 | misaligned elements
          move out[0] <- sum fp32 in fp32 (for p < n: box[p * B]) bytes B        | 2 | 6 | length is not whole elements
          move box[4] <- sum fp32 in fp32 (for p < n: box[p * B]) bytes B        | 2 | 8 | overlapping regions
          """)
  void binding(String move, int world, long bytes, String finding) {
    Form form = form("ensure out[0] = in[0] bytes B", move);
    assertThat(message(() -> Program.bind(form, world, Map.of("B", bytes)))).startsWith(finding);
  }

  @Test
  void aPostConditionOfPartsOfElementsOrNoSourcesIsRefused() {
    assertThat(message(() -> Program.bind(form(ENSURE, "sync"), 2, Map.of("B", 6L))))
        .startsWith("length is not whole elements");
    Form none = form("ensure out[0] = sum fp32 in fp32 (for p < n - 1: in[0]) bytes B", "sync");
    assertThat(message(() -> Program.bind(none, 1, Map.of("B", 8L))))
        .startsWith("nothing to reduce");
  }

  @Test
  void aGroupHasASize() {
    Form form =
        form("ensure out[0] = sum fp32 in fp32 by n - 2 (for p < n: in@p[0]) bytes B", "sync");
    assertThat(message(() -> Program.bind(form, 2, Map.of("B", 4L))))
        .startsWith("group without a size");
    assertThat(
            Program.bind(form, 3, Map.of("B", 4L))
                .rank(0)
                .claims(BoundPostCondition.InitialContents.UNKNOWN)
                .getFirst()
                .grouping())
        .isEqualTo(new Grouping.By(Expr.of(1)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          1 | a       | a               | a
          2 | (ab)    | (ab)            | (ab)
          3 | ((ab)c) | ((ac)b)         | ((ab)c)
          4 | (((ab)c)d)    | ((ac)(bd))      | ((ab)(cd))
          5 | ((((ab)c)d)e) | (((ae)c)(bd))   | ((ab)(cd)e)
          6 | (((((ab)c)d)e)f) | (((ae)c)((bf)d)) | ((ab)(cd)(ef))
          """)
  void groupingDeterminesTheParentheses(int count, String stepwise, String folded, String byTwo) {
    List<String> sources = List.of("abcdef".substring(0, count).split(""));
    Function<List<String>, String> sum =
        some -> some.size() == 1 ? some.getFirst() : "(" + String.join("", some) + ")";
    assertThat(Grouping.over(Grouping.STEPWISE, sources, sum)).isEqualTo(stepwise);
    assertThat(Grouping.over(Grouping.FOLDED, sources, sum)).isEqualTo(folded);
    assertThat(Grouping.over(new Grouping.By(Expr.of(2)), sources, sum)).isEqualTo(byTwo);
    assertThat(Grouping.over(new Grouping.By(Expr.of(Long.MAX_VALUE)), sources, sum))
        .isEqualTo(Grouping.over(Grouping.AT_ONCE, sources, sum));
  }

  @Test
  void aClaimNamesItsSourcesInTheirOrder() {
    Form form =
        form("ensure out[0] = sum fp32 in fp32 (for p < n: in@((r + p) % n)[4]) bytes B - 4", MOVE);
    BoundPostCondition claim =
        Program.bind(form, 3, Map.of("B", 12L))
            .rank(1)
            .claims(BoundPostCondition.InitialContents.UNKNOWN)
            .getFirst();
    assertThat(claim.sources())
        .containsExactly(
            new BoundPostCondition.Source(1, "in", 4),
            new BoundPostCondition.Source(2, "in", 4),
            new BoundPostCondition.Source(0, "in", 4));
    assertThat(claim.grouping()).isEqualTo(Grouping.AT_ONCE);
  }

  @Test
  void roundedInStepsDiffersFromRoundedOnce() {
    // 256 + 1 is 256 in eight bits of precision, but 256 + 1 + 1 is 258.
    byte[][] inputs = {bf16(256), bf16(1), bf16(1)};
    assertThat(claim("").expected((source, length) -> inputs[source.rank()])).isEqualTo(bf16(258));
    assertThat(claim("stepwise ").expected((source, length) -> inputs[source.rank()]))
        .isEqualTo(bf16(256));
  }

  private static BoundPostCondition claim(String grouping) {
    String made = "sum bf16 in fp32 " + grouping + "(for p < n: in@p[0])";
    Form form = form("ensure out[0] = " + made + " bytes B", "sync");
    return Program.bind(form, 3, Map.of("B", 2L))
        .rank(0)
        .claims(BoundPostCondition.InitialContents.UNKNOWN)
        .getFirst();
  }

  private static byte[] bf16(float value) {
    int bits = Float.floatToRawIntBits(value) >>> 16;
    return new byte[] {(byte) bits, (byte) (bits >>> 8)};
  }

  @Test
  void typeAndOperatorOfAllReductionsAreReplaceable() {
    Form form = ShippedText.form("ll_all_reduce");
    Form other = ReductionEdits.with(form, ReduceOp.AVG, DataType.BF16);
    assertThat(FormPrinter.print(other))
        .isEqualTo(FormPrinter.print(form).replace("sum fp32 in fp32", "avg bf16 in fp32"));
    assertThat(ReductionEdits.first(other))
        .contains(new Combine.Reduce(ReduceOp.AVG, DataType.BF16, DataType.FP32));
    Form ring = ShippedText.form("ring_all_reduce");
    assertThat(FormPrinter.print(ReductionEdits.with(ring, ReduceOp.MAX, DataType.INT8)))
        .doesNotContain("fp32");
    assertThat(message(() -> ReductionEdits.with(ring, ReduceOp.AVG, DataType.FP32)))
        .startsWith("an average in steps");
    assertThat(ReductionEdits.first(ShippedText.form("ring_all_gather"))).isEmpty();
  }

  private static String message(Runnable wrong) {
    try {
      wrong.run();
    } catch (ProgramException e) {
      return String.valueOf(e.getMessage());
    }
    return "accepted";
  }
}
