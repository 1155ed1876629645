package dev.oriel.domain.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.FormPrinter;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.parse.FormParser;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Post-conditions whose lengths, places and ranks are words of inputs. */
class PostConditionWordsTest {
  private static final String TEXT =
      """
      form words
      input in[64]
      input size[8 * n]
      input to[4 * n]
      output out[64 * n]
      ensure each p in all, load c <- size@p[8 * r] <= 64: out[p * 64] = in@p[0] bytes c
      ensure for t < n, load d <- to[4 * t] width 4 <= n - 1: out[t] = in@d[t] bytes 1
      lane main: sm(32) {
        load c <- size[8 * r] <= 40 else 1
        move out[0] <- in[0] bytes c
      }
      """;

  private static Program bound(String from, String to) {
    assertThat(TEXT).contains(from);
    return Program.bind(FormParser.parse(TEXT.replace(from, to)), 3, Map.of());
  }

  @Test
  void printedWordsParseToThemselves() {
    Form form = FormParser.parse(TEXT);
    assertThat(FormParser.parse(FormPrinter.print(form))).isEqualTo(form);
  }

  /** Word k of rank p's sizes is p + k, and token t of rank p goes to rank t + p. */
  @Test
  void valuesAreThoseAtTheStart() {
    BoundPostCondition.InitialContents start =
        (source, length) -> {
          byte[] word = new byte[length];
          long index = source.offset() / length;
          word[0] =
              (byte)
                  (source.buffer().equals("size")
                      ? source.rank() + index
                      : (index + source.rank()) % 3);
          return word;
        };
    assertThat(bound("64 * n", "64 * n").rank(1).claims(start))
        .containsExactly(
            BoundPostCondition.copy(0, "out", 0, 0, "in", 0, 1),
            BoundPostCondition.copy(0, "out", 64, 1, "in", 0, 2),
            BoundPostCondition.copy(0, "out", 128, 2, "in", 0, 3),
            BoundPostCondition.copy(1, "out", 0, 1, "in", 0, 1),
            BoundPostCondition.copy(1, "out", 1, 2, "in", 1, 1),
            BoundPostCondition.copy(1, "out", 2, 0, "in", 2, 1));
  }

  @Test
  void inputsBeyondTheirBoundAreNamed() {
    BoundPostCondition.InitialContents start =
        (source, length) -> {
          byte[] word = new byte[length];
          word[0] = 65;
          return word;
        };
    RankProgram rank = bound("64 * n", "64 * n").rank(0);
    assertThatThrownBy(() -> rank.claims(start))
        .isInstanceOf(ProgramException.class)
        .hasMessage(
            "input beyond what a post-condition allows: rank=0, word=size@p[8 * r], value=65,"
                + " max=64; fill it with less");
    assertThatThrownBy(() -> rank.claims(BoundPostCondition.InitialContents.UNKNOWN))
        .hasMessageContaining("post-condition names words of inputs: buffer=size");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          <= 64: out       | <= 65: out        | region not proved inside its buffer
          size@p[8 * r]    | size@p[4 * r]     | misaligned word
          size@p[8 * r]    | size@p[8 * r + 8] | region outside its buffer
          size@p[8 * r]    | out@p[8 * r]      | word that a program may change
          size@p[8 * r]    | size@peers[0]     | expected bytes of several ranks
          <= n - 1         | <= n              | peer not proved to be a rank
          <= n - 1         | <= r              | not known at binding
          <= n - 1         | <= 0 - 1          | limit may be negative
          for t < n        | for t < r         | not known at binding
          for t < n        | for t < 1 << 30   | number of post-conditions out of range
          in all, load c   | in all, for t < 1 << 20, load c | number of post-conditions out of range
          for t < n        | for t < 1 << 20, each q in all  | number of post-conditions out of range
          width 4          | width 3           | width out of range
          load d <- to     | load t <- to      | duplicated name
          for t < n, load  | for t < n load    | expected
          """)
  void impossibleWordsAreRejected(String from, String to, String finding) {
    assertThatThrownBy(() -> bound(from, to))
        .isInstanceOf(ProgramException.class)
        .hasMessageContaining(finding);
  }

  /** Ranks of a large world are not checked one by one; the number of statements counts. */
  @Test
  void tooManyPostConditionsAreRejected() {
    String pairs =
        "form f input in[1] output out[1] ensure each p in all, each q in all: out[0] = in@p[0] bytes"
            + " 1 lane l: sm(32) {}";
    Form form = FormParser.parse(pairs);
    assertThat(
            Program.bind(form, 64, Map.of())
                .rank(0)
                .claims(BoundPostCondition.InitialContents.UNKNOWN))
        .hasSize(4096);
    assertThatThrownBy(() -> Program.bind(form, 2048, Map.of()))
        .isInstanceOf(ProgramException.class)
        .hasMessageStartingWith("number of post-conditions out of range: ");
  }

  /** Half of the wide word is a narrow one within the same bound, but not the converse. */
  @Test
  void wordsAreDrawnAtTheirWidestRead() {
    String text =
        """
        form f
        input a[64]
        output b[64]
        lane l: sm(32) {
          load x <- a[8] <= 5 else 1
          load y <- a[12] width 4 <= 7 else 2
          load z <- a[8] width 2
        }
        """;
    RankProgram rank = Program.bind(FormParser.parse(text), 1, Map.of()).rank(0);
    assertThat(InputWords.of(rank)).isEqualTo(Map.of("a", new InputWords(8, 5)));
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 100; i++) {
      ByteBuffer drawn =
          ByteBuffer.wrap(
                  Objects.requireNonNull(
                      InputWords.draw(rank.program(), random::nextLong).getFirst().get("a")))
              .order(ByteOrder.LITTLE_ENDIAN);
      assertThat(drawn.getLong(8)).isBetween(0L, 5L);
      assertThat(drawn.getInt(12)).isZero();
    }
  }

  /** What the host passes with a launch is the same on every rank, within the bounds of all. */
  @Test
  void uniformInputsAreDrawnOnce() {
    String text =
        """
        form passed
        uniform size[8 * n]
        input own[8]
        output out[8]
        lane main: sm(32) {
          if r == 1 {
            load x <- size[0] <= 5 else 1
          } else {
            load y <- size[0] <= 900 else 1
          }
        }
        """;
    Program program = Program.bind(FormParser.parse(text), 3, Map.of());
    assertThat(InputWords.of(program))
        .allSatisfy(words -> assertThat(words).containsEntry("size", new InputWords(8, 5)));
    SplittableRandom random = new SplittableRandom(1);
    boolean differ = false;
    for (int i = 0; i < 100; i++) {
      List<Map<String, byte[]>> drawn = InputWords.draw(program, random::nextLong);
      assertThat(drawn)
          .allSatisfy(mine -> assertThat(mine.get("size")).isEqualTo(drawn.get(0).get("size")));
      differ |= !Arrays.equals(drawn.get(0).get("own"), drawn.get(1).get("own"));
    }
    assertThat(differ).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          uniform size[8]  | load x <- size[0] <= 2 else 1         | []
          uniform size[8]  | sync                                  | []
          uniform size[8]  | load x <- size[0] <= 3 else 1         | [size]
          uniform size[8]  | load x <- size[0]                     | [size]
          uniform size[8]  | load x <- size[0] width 1 <= 2 else 1 | [size]
          uniform size[16] | load x <- size[0] <= 2 else 1         | [size]
          input size[8]    | load x <- size[0] <= 2 else 1         | [size]
          uniform size[8] uniform other[8] | load x <- size[0] <= 2 else 1 load y <- other[0] <= 2 else 1 | [other, size]
          """)
  void aCheckTriesEveryWordWhereThereAreThree(String inputs, String loads, String tooMany) {
    String text = "form few\n%s\nlane main: sm(32) { %s }".formatted(inputs, loads);
    assertThat(InputWords.tooMany(Program.bind(FormParser.parse(text), 2, Map.of())))
        .hasToString(tooMany);
  }

  /** Inputs keep the smallest of the bounds that lanes and post-conditions name. */
  @Test
  void boundsLimitDrawnValues() {
    RankProgram rank = bound("64 * n", "64 * n").rank(2);
    assertThat(InputWords.of(rank))
        .isEqualTo(Map.of("size", new InputWords(8, 40), "to", new InputWords(4, 2)));
    SplittableRandom random = new SplittableRandom(1);
    boolean[] sizes = new boolean[41];
    boolean[] ranks = new boolean[3];
    for (int i = 0; i < 1000; i++) {
      Map<String, byte[]> drawn = InputWords.draw(rank.program(), random::nextLong).get(2);
      assertThat(drawn.keySet()).containsExactly("in", "size", "to");
      byte[] size = Objects.requireNonNull(drawn.get("size"));
      byte[] to = Objects.requireNonNull(drawn.get("to"));
      sizes[size[8]] = true;
      ranks[to[4]] = true;
      size[0] = size[8] = size[16] = to[0] = to[4] = to[8] = 0;
      assertThat(size).containsOnly(0);
      assertThat(to).containsOnly(0);
    }
    assertThat(sizes).doesNotContain(false);
    assertThat(ranks).doesNotContain(false);
  }

  /**
   * Also if no move reads the table from the input itself, since it may have been copied around
   * first.
   */
  @Test
  void wordsNameExistingRows() {
    Form form =
        FormParser.parse(
            """
            form relayed
            input in[12]
            input row[12]
            output out[12]
            scratch here[12]
            hook pick = gather(f32, 3, 1)
            ensure out[0] = pick (in[0], row@(n - 1 - r)[0]) bytes 12
            lane main: sm(32) {
              move out[0] <- pick (in[0], here[0]) bytes 12
            }
            """);
    assertThat(InputWords.of(Program.bind(form, 2, Map.of()).rank(0)))
        .containsEntry("row", new InputWords(4, 2));
  }

  /** The reader of a peer's table determines the number of rows, not its owner. */
  @Test
  void wordsNameRowsWithinTheReadersBound() {
    Form form =
        FormParser.parse(
            """
            form uneven
            input in[12]
            input row[12]
            output out[12]
            hook pick = gather(f32, r + 1, 1)
            ensure out[0] = pick (in[0], row@((r + 1) % n)[0]) bytes 12
            lane main: sm(32) {
              sync
            }
            """);
    Program program = Program.bind(form, 3, Map.of());
    for (int r = 0; r < 3; r++) {
      assertThat(InputWords.of(program.rank(r))).containsEntry("row", new InputWords(4, 0));
    }
  }

  /** A count of 64 bits may precede rows of 32 bits: either is within its bound. */
  @Test
  void wordsMayHaveTwoWidths() {
    Form form =
        FormParser.parse(
            """
            form counted
            input in[12]
            input word[16]
            output out[12]
            hook pick = gather(f32, 3, 1)
            lane main: sm(32) {
              load c <- word[0] <= 40 else 1
              move out[0] <- pick (in[0], word[8]) bytes 8
            }
            """);
    RankProgram rank = Program.bind(form, 1, Map.of()).rank(0);
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 100; i++) {
      byte[] word =
          Objects.requireNonNull(
              InputWords.draw(rank.program(), random::nextLong).getFirst().get("word"));
      ByteBuffer read = ByteBuffer.wrap(word).order(ByteOrder.LITTLE_ENDIAN);
      assertThat(read.getLong(0)).isBetween(0L, 40L);
      assertThat(read.getInt(8)).isBetween(0, 2);
      assertThat(read.getInt(12)).isBetween(0, 2);
    }
  }
}
