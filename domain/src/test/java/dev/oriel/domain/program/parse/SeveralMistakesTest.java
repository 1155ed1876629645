package dev.oriel.domain.program.parse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.oriel.domain.measure.ProcessorTime;
import dev.oriel.domain.program.Mistake;
import dev.oriel.domain.program.MistakeList;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.TextPosition;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** One run reports several mistakes of a text, each once, and none that follows from another. */
class SeveralMistakesTest {

  @Test
  void everyWrongOperationIsReported() {
    assertMistakes(
        """
        form f
        signal D[1]
        lane l: sm(32) {
          signal D[0] set 1 releas
          mvoe x
          sync
          await D[0] == 1
          flush all lokal
        }
        """,
        "4:21 unexpected text: found='releas'; did you mean release?",
        "5:3 unexpected text: found='mvoe'; did you mean move?",
        "7:18 unexpected text: found=end of line; expected acquire or relaxed",
        "8:13 unexpected text: found='lokal'; did you mean local?");
  }

  /** As in C; the nearest word of the language would be another operation. */
  @Test
  void anAssignmentWithoutItsWordIsExplained() {
    assertMistakes(
        """
        form f
        lane l: sm(32) {
          state got step 1
          got = got + 1
          got += 1
        }
        """,
        "4:3 unexpected text: found='got' =; write 'let got =' for a new name, 'set got =' for a state",
        "5:3 unexpected text: found='got' =; write 'let got =' for a new name, 'set got =' for a state");
  }

  @Test
  void declarationsAndLanesAreReadAfterAMistake() {
    assertMistakes(
        """
        form f
        param B < 5
        inptu a[B]
        output b[B
        lane l sm(32) {
          snyc
        }
        lane m: smm(32)
          sync
          jion l
        }
        """,
        "2:9 unexpected text: found='<'; expected '<='",
        "3:1 unexpected text: found='inptu'; did you mean input?",
        "4:11 unexpected text: found=end of line; expected ']'",
        "5:8 unexpected text: found='sm'; expected ':'",
        "6:3 unexpected text: found='snyc'; did you mean sync?",
        "8:9 unexpected text: found='smm'; expected sm(threads), copy, host or nic(queue)",
        "10:3 unexpected text: found='jion'; did you mean join?");
  }

  @Test
  void blocksWithAWrongHeadAreReadForTheirOwnMistakes() {
    assertMistakes(
        """
        form f
        lane l: sm(32) {
          for i <= 4 {
            snyc
          }
          if 1 == {
            sync
          } else {
            fence viia 1
          }
          each p in peers
            quite
          }
          fro i < 4 {
            sync
          }
          sync
        }
        """,
        "3:9 unexpected text: found='<='; expected '<'",
        "4:5 unexpected text: found='snyc'; did you mean sync?",
        "6:11 unexpected text: found='{'; expected a number, a name, (, min, max, ceil or nz32",
        "9:11 unexpected text: found='viia'; expected move, signal, await, flush, sync, join, load,"
            + " let, set, store, check, if, for, each, thread0, put, get, bulk, atomic, fence, quiet, order,"
            + " wait, read, lock, unlock, barrier, meet or }",
        "12:5 unexpected text: found='quite'; expected '{'",
        "14:3 unexpected text: found='fro'; did you mean for?");
  }

  @Test
  void aBlockThatIsNotClosedIsReportedAtItsBrace() {
    assertMistakes(
        "form f\nlane l: sm(32) {\n  if 1 == 1 {\n    sync\n}\n",
        "2:16 block is not closed: next=end of text; add } at its end");
    assertMistakes(
        "form f\nlane l: sm(32) {\n  sync\nlane m: copy {}\n",
        "2:16 block is not closed: next='lane' in line 4; add } at its end");
    assertMistakes(
        "form f\nlane l: sm(32) {\n  sync\n}\n}\n",
        "5:1 no block is open: found='}'; remove it, or add its { before");
  }

  @Test
  void commentsOfOtherLanguagesAndSemicolonsAreNamed() {
    assertMistakes(
        "form f\n// one. two\n# three\n/* four */\nlane l: sm(32) {\n  sync;\n}\n",
        "2:1 comments begin with --: found='//'; write -- instead",
        "3:1 comments begin with --: found='#'; write -- instead",
        "4:1 comments begin with --: found='/*'; write -- instead",
        "6:7 unknown character: character=';'; leave it out, since every operation starts with its"
            + " own word");
    assertMistakes(
        "form f\nlane l: sm(32) {\n  let x = 4 // 2\n}\n",
        "3:13 comments begin with --: found='//'; write -- instead");
  }

  @Test
  void aWordOfTheLanguageAsANameIsOneMistake() {
    assertMistakes(
        """
        form f
        param step <= 4
        output out[step]
        lane l: sm(32) {
          let count = step + 1
          store out[count] width 1 <- count
        }
        """,
        "2:7 not a name: found='step', a word of the language; choose another as a parameter name,"
            + " such as step_1",
        "5:7 not a name: found='count', a word of the language; choose another as a register name,"
            + " such as count_1");
    assertMistakes(
        "form f\nlane l: sm(32) {\n  let x = release\n}\n",
        "3:11 unexpected text: found='release', a word of the language; expected a number, a name,"
            + " (, min, max, ceil or nz32");
  }

  @Test
  void everyWrongNameIsReportedOnce() {
    assertMistakes(
        """
        form f
        param Bytes <= 64
        input source[Bytes]
        output out[Byts]
        signal DATA[1]
        lane main: sm(32) {
          let succ = (r + 1) % m
          move outt@succ[0] <- source[0] bytes Bytes
          move out@suc[0] <- sourc[0] bytes Bytes
          move out@suc[8] <- source[0] bytes Bytes
          signal DAT[0]@succ set 1 release
          join mian
          for i < nn {
            store out[i] <- ii
          }
        }
        lane main: copy {}
        """,
        "4:12 unknown name: name=Byts; did you mean Bytes? known here: n, r, Bytes",
        "7:24 unknown name: lane=main, name=m; known here: n, r, Bytes, epoch",
        "8:8 unknown buffer: lane=main, name=outt; did you mean out? known: source, out",
        "9:12 unknown name: lane=main, name=suc; did you mean succ? known here: n, r, Bytes, epoch,"
            + " succ",
        "11:10 unknown signal: lane=main, name=DAT; did you mean DATA? known: DATA",
        "12:3 unknown lane: lane=main, name=mian; did you mean main? known: main, main",
        "13:11 unknown name: lane=main, name=nn; known here: n, r, Bytes, epoch, succ",
        "14:21 unknown name: lane=main, name=ii; known here: n, r, Bytes, epoch, succ, i",
        "17:1 duplicated lane: lane=main, name=main; give every lane its own name");
  }

  @Test
  void aWrongHookIsOneMistake() {
    assertMistakes(
        """
        form f
        output out[8]
        hook h(in0: f23) -> f32 = in0
        hook g(in0: f32) -> f32 = in0 $ 1
        lane main: sm(32) {
          move out[0] <- h (out[0]) bytes 8
          move out[0] <- hh (out[0]) bytes 8
        }
        """,
        "3:13 unexpected text: found='f23'; did you mean f32?",
        "4:31 unknown character: character='$'; write names, numbers or one of"
            + " {}[]()<>=,:@+-*/%&|^",
        "7:18 unknown hook: found='hh'; declare it in front of here, known: none");
  }

  @Test
  void theFirstTenAreKeptAndTheOthersCounted() {
    String lines = "  mvoe x\n".repeat(25);
    ProgramException refused = refused("form f\nlane l: sm(32) {\n" + lines + "}\n");
    assertThat(refused.mistakes()).hasSize(MistakeList.KEPT);
    assertThat(refused.more()).isEqualTo(15);
    assertThat(refused)
        .hasMessage(
            "unexpected text: line=3, column=3, found='mvoe'; did you mean move?"
                + " (and 24 more mistakes)");
    assertThat(refused("form f\nlane l: sm(32) {\n  mvoe x\n  mvoe x\n}\n"))
        .hasMessageEndingWith("(and 1 more mistake)");
  }

  @Test
  void textsFullOfMistakesCostLittle() {
    String head = "form f\nparam " + "P".repeat(60) + " <= 8\nlane l: sm(32) {\n";
    assertCheap(head + "  mvoe x\n".repeat(20_000) + "}\n");
    assertCheap(head + "  let x = yyyyyyyyyyyyyyyyyyyyyyyyyyyyyy\n".repeat(9_000) + "}\n");
    assertCheap(head + "if {\n".repeat(20_000));
    assertCheap(head + "fro {\n".repeat(20_000) + "}\n".repeat(10_000));
    assertCheap("form f\n" + "lane {\n".repeat(20_000));
    assertCheap("form f\n" + "// x\n".repeat(50_000));
    assertCheap("form f\n" + "}\n".repeat(100_000));
  }

  private static void assertCheap(String text) {
    assertThat(ProcessorTime.of(() -> refused(text))).isLessThan(Duration.ofSeconds(4));
  }

  private static void assertMistakes(String text, String... expected) {
    ProgramException refused = refused(text);
    assertThat(refused.mistakes().stream().map(SeveralMistakesTest::shown))
        .containsExactly(expected);
    assertThat(refused.more()).isZero();
    assertThat(refused.getMessage()).startsWith(refused.mistakes().getFirst().message());
  }

  private static String shown(Mistake mistake) {
    TextPosition at = mistake.position().orElseThrow();
    return at.line() + ":" + at.column() + " " + mistake.statement();
  }

  private static ProgramException refused(String text) {
    return catchThrowableOfType(ProgramException.class, () -> FormParser.parse(text));
  }

  /** The mistakes of a form without a text have no position. */
  @Test
  void aFormWithoutATextNamesItsOperations() {
    Mistake mistake =
        new Mistake("what", Optional.empty(), "lane=l", "operation=1", "x=2", "mend it", List.of());
    assertThat(mistake.message()).isEqualTo("what: lane=l, operation=1, x=2; mend it");
    assertThat(mistake.statement()).isEqualTo(mistake.message());
  }
}
