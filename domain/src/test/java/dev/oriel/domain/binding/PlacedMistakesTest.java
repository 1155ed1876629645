package dev.oriel.domain.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.FormPrinter;
import dev.oriel.domain.program.Mistake;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.ShippedText;
import dev.oriel.domain.program.TextPosition;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.program.parse.ParsedForm;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What binding refuses has a place in the text, although a bound form has no positions. */
class PlacedMistakesTest {
  /** The operation under test begins in line 10, column 3. */
  private static final String FORM =
      """
      form f
      param B <= 64
      input in[B]
      output out[B]
      scratch words[64 * (3 - B / 32)]
      signal D[2]
      barrier all_in
      lane main: sm(32) {
        load w <- in[0]
        %s
      }
      """;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          flush @(r + 1) local                        | 10 | peer is not a rank: rank=1, lane=main, peer=r + 1, low=2, high=2, world=2; take it modulo n, or guard it with if
          flush @w local                              | 10 | peer not proved to be a rank: rank=0, lane=main, peer=w, low=unknown, high=unknown, world=2; take it modulo n, or guard it with if
          move out[8] <- in[0] bytes B                | 8  | region outside its buffer: rank=0, lane=main, buffer=out, owner=0, offset=8, low=8, end=72, size=64; enlarge the buffer, or bound offset and length with min or check
          move out[0] <- in[8] bytes B                | 18 | region outside its buffer: rank=0, lane=main, buffer=in, owner=0, offset=8, low=8, end=72, size=64; enlarge the buffer, or bound offset and length with min or check
          move out[0] <- in[0] bytes 8 - w            | 32 | length may be negative: rank=0, lane=main, bytes=8 - w; bound it with min, or check it first
          move out[0] <- sum fp32 in fp32 (in[0]) bytes 6 | 49 | length is not whole elements: rank=0, lane=main, bytes=6, element=4; use a multiple of the element's size
          move out[0], out[4] <- in[0] bytes 8        | 16 | overlapping regions: rank=0, lane=main, buffer=out, owner=0; move through another buffer
          signal D[2] set 1 release                   | 10 | slot outside its row: rank=0, lane=main, signal=D, index=2, low=2, high=2, count=2; declare more slots, or bound the index with min or if
          await D[1]@(0) == 1 acquire                 | 3  | wait that nothing matches: rank=0, lane=main, signal=D, sender=0, receiver=0, slot=1; send it, or do not wait for it
          store out[4] <- 1                           | 9  | misaligned word: rank=0, lane=main, buffer=out, offset=4, size=8; use a multiple of the size
          store out[min(w, 8)] <- 1                   | 9  | word not proved aligned: rank=0, lane=main, buffer=out, offset=min(w, 8), size=8; use a multiple of the size
          let x = 8 / w                               | 13 | divisor may be zero: rank=0, lane=main, operand=8 / w; keep it positive, for example with max(1, divisor)
          for i < w { sync }                          | 11 | loop without a bound: rank=0, lane=main, variable=i, count=w; bound the count from 0 to a parameter or a loaded word's limit; a failed check bounds nothing
          check w < 2 else 1 signal D[w] set 1 release | 29 | slot not proved inside its row: rank=0, lane=main, after=a failed check, signal=D, index=w, low=unknown, high=unknown, count=2; declare more slots, or bound the index with min or if
          put out@(0)[0] <- out[8] bytes 8 count w step 8, 8 | 42 | count without a bound: rank=0, lane=main, count=w; bound it from 0 to a parameter or a loaded word's limit
          fence via w                                 | 13 | context out of range: rank=0, lane=main, context=w, contexts=64; use 0 to 63, for example modulo a constant
          """)
  void anOperationIsPlaced(String operation, int column, String statement) {
    assertMistakes(FORM.formatted(operation), Map.of(), "10:" + column + " " + statement);
  }

  @Test
  void sizesDefinitionsLanesAndPostConditionsArePlaced() {
    assertMistakes(
        "form f\nparam B <= 64\nscratch words[B - 65]\nlane main: sm(32) { sync }\n",
        Map.of("B", 64L),
        "3:1 value out of range: what=size of buffer words, rank=0, value=-1, max=70368744177664;"
            + " choose smaller parameters");
    assertMistakes(
        "form f\nparam B <= 64\nlet K = 8 / (B - 64)\nlane main: sm(32) { sync }\n",
        Map.of("B", 64L),
        "3:11 division by zero: operand=8 / (B - 64); keep the divisor positive");
    assertMistakes(
        "form f\nlane main(i < 70000): sm(32) { sync }\n",
        Map.of(),
        "2:11 value out of range: what=count of lane main, rank=0, value=70000, max=65536; choose"
            + " smaller parameters");
    assertMistakes(
        "form f\noutput out[8]\nensure out[0] = out@(r + 1)[0] bytes 8\nlane main: sm(32) { sync }\n",
        Map.of(),
        "3:21 peer is not a rank: rank=1, peer=r + 1, low=2, high=2, world=2; take it modulo n, or"
            + " guard it with if");
    assertMistakes(
        "form f\nscratch a[2]\nensure a[0] = a[1] bytes 1\nlane main: sm(32) { sync }\n",
        Map.of(),
        "3:17 expected bytes whose contents at the start are not known: rank=0,"
            + " buffer=a; name an input; for bytes that stay as they are, write the same place on"
            + " both sides");
    assertMistakes(
        "form f\nwindow a[2]\nensure a[0] = a[0] bytes 1\nlane main: sm(32) { sync }\n",
        Map.of(),
        "3:17 expected bytes whose contents at the start are not known: rank=0,"
            + " buffer=a; name an input");
    assertMistakes(
        "form f\ninput w[8]\nscratch a[9]\nensure load c <- w[0] <= 8: a[c] = a[c] bytes 1\nlane main: sm(32) { sync }\n",
        Map.of(),
        "4:38 scratch bytes that stay as they are, at a place that words select: rank=0,"
            + " buffer=a; name a place that is the same in every launch");
    assertMistakes(
        "form f\nlane main: sm(32) {\n  state s step 3\n  sync\n}\n",
        Map.of(),
        "3:3 step is no power of two: rank=0, lane=main, state=s, step=3; use one, so that the word"
            + " stays a multiple of it when it wraps");
  }

  @Test
  void operationsThatDoNotDependOnOneAnotherAreAllReported() {
    assertMistakes(
        """
        form f
        output out[64]
        signal D[2]
        lane main: sm(32) {
          let succ = r + 1
          for t < 2 {
            store out[4 * t + 4] <- 1
          }
          signal D[0]@succ set 1 release
          signal D[1]@succ set 1 release
          await D[0] == 1 acquire
          load x <- out[1]
          store out[x] <- 1
        }
        """,
        Map.of(),
        "7:11 misaligned word: rank=0, lane=main, buffer=out, offset=4 * t + 4, size=8; use a"
            + " multiple of the size",
        "12:13 misaligned word: rank=0, lane=main, buffer=out, offset=1, size=8; use a multiple of"
            + " the size");
  }

  @Test
  void everyWaitThatNothingMatchesIsReported() {
    assertMistakes(
        """
        form f
        signal D[2]
        lane main: sm(32) {
          await D[0]@(0) == 1 acquire
          await D[1]@(0) == 1 acquire
        }
        """,
        Map.of(),
        "4:3 wait that nothing matches: rank=0, lane=main, signal=D, sender=0, receiver=0, slot=0;"
            + " send it, or do not wait for it",
        "5:3 wait that nothing matches: rank=0, lane=main, signal=D, sender=0, receiver=0, slot=1;"
            + " send it, or do not wait for it");
  }

  /** Positions are beside the form: nothing that is compared or hashed knows of them. */
  @Test
  void positionsChangeNoFormAndNoDigest() {
    for (String name : ShippedText.NAMES) {
      String text = ShippedText.of(name);
      Form form = FormParser.read(text).form();
      Form moved = FormParser.read("\n\n   " + text.replace("\n", "\n ")).form();
      assertThat(moved).isEqualTo(form).hasSameHashCodeAs(form);
      assertThat(moved.digest()).isEqualTo(form.digest());
      assertThat(FormPrinter.print(moved)).isEqualTo(FormPrinter.print(form));
    }
  }

  @Test
  void aFormWithoutATextIsRefusedWithTheOperationInWords() {
    Form form = FormParser.parse(FORM.formatted("flush @(r + 1) local"));
    assertThat(refused(form, Map.of()))
        .hasMessage(
            "peer is not a rank: rank=1, lane=main, operation=flush @(r + 1) local, peer=r + 1,"
                + " low=2, high=2, world=2; take it modulo n, or guard it with if");
  }

  @Test
  void anUnknownParameterIsAskedFor() {
    Form form = FormParser.parse("form f param Bytes <= 8 lane l: host {}");
    assertThat(refused(form, Map.of("bytes", 8L)))
        .hasMessage("unknown parameter: name=bytes, form=f; did you mean Bytes? known: Bytes");
    assertThatCode(() -> Program.bind(form, 2, Map.of("Bytes", 8L))).doesNotThrowAnyException();
  }

  private static void assertMistakes(String text, Map<String, Long> params, String... expected) {
    ParsedForm parsed = FormParser.read(text);
    List<String> shown =
        refused(parsed.form(), params).mistakes().stream()
            .map(mistake -> shown(mistake.located(parsed.positions())))
            .toList();
    assertThat(shown).containsExactly(expected);
  }

  private static String shown(Mistake mistake) {
    TextPosition at = mistake.position().orElseThrow();
    return at.line() + ":" + at.column() + " " + mistake.statement();
  }

  private static ProgramException refused(Form form, Map<String, Long> params) {
    return catchThrowableOfType(ProgramException.class, () -> Program.bind(form, 2, params));
  }
}
