package dev.oriel.it.mutate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.it.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MutateCommandTest {
  private static final String HANDSHAKE =
      """
      form handshake
      input in[8]
      output out[8]
      signal READY[1]
      signal DATA[1]
      ensure out[0] = in@((r - 1) % n)[0] bytes 8
      lane main: sm(32) {
        let succ = (r + 1) % n
        let pred = (r - 1) % n
        signal READY[0]@pred set epoch release
        await READY[0]@succ reached epoch acquire
        move out@succ[0] <- in[0] bytes 8
        signal DATA[0]@succ set epoch release
        await DATA[0]@pred reached epoch acquire
        flush @succ local
      }
      """;

  @TempDir Path folder = Path.of("");
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String text, String... more) throws IOException {
    Path file = folder.resolve("program.oriel");
    Files.writeString(file, text);
    String[] all = new String[more.length + 2];
    all[0] = "mutate";
    all[1] = file.toString();
    System.arraycopy(more, 0, all, 2, more.length);
    return Main.run(all, new PrintWriter(out, true), new PrintWriter(err, true));
  }

  @Test
  void printsKillersAndReasonsOfSurvivors() throws IOException {
    assertThat(run(HANDSHAKE, "--world", "1x2", "--executions", "20", "--verbose")).isZero();
    assertThat(out.toString())
        .contains("relaxed-order.1 at main:6 'signal DATA[0]@succ set epoch release'")
        .containsPattern("binding .* drop.1 at main:3 'signal READY")
        .containsPattern("equivalent .* drop.1 at main:8 'flush @succ local'")
        .contains("the same outcomes as the original, in every execution (launches=2")
        .containsPattern("a wrap .* wrong-comparison.1 at main:4 'await READY")
        .contains(", wrap=2", "unexplained=0")
        .contains("verdict  100.0 % of those not shown equivalent are killed");
  }

  @Test
  void namesTheLineAndTheFindingOfEachMistake() throws IOException {
    assertThat(run(HANDSHAKE, "--world", "1x2", "--executions", "20")).isZero();
    assertThat(out.toString())
        .containsPattern(
            "(?m)^race +13  relaxed-order, 'signal DATA\\[0\\]@succ set epoch release'")
        .containsPattern("(?m)^refused +10  drop, 'signal READY")
        .containsPattern("(?m)^equivalent +15  drop, 'flush @succ local'")
        .containsPattern("(?m)^race, at a wrap +11  wrong-comparison, 'await READY")
        .containsPattern("(?m)^refused +half-the-slots, declared:1 'READY\\[1\\]'")
        .containsPattern("(?m)^mistakes +\\d+; \\d+ found when the program is bound; ")
        .containsPattern(
            "(?m)^verdict +every mistake that changes the program in this world and size is found$")
        .doesNotContain("fifo");
  }

  /** What the moved word is decides, and few values of it are tried. */
  @Test
  void saysThatFewWordsOfInputsAreTried() throws IOException {
    String moved =
        """
        form moved
        input in[8]
        scratch win[8]
        output out[8]
        ensure out[0] = in[0] bytes 8
        lane main: sm(32) {
          move win[0] <- in[0] bytes 8
          sync
          move out[0] <- win[0] bytes 8
          load x <- win[0]
          check x <= 0xffff_ffff_ffff_ffff else 1
        }
        """;
    assertThat(run(moved, "--world", "1x1", "--executions", "5")).isBetween(0, 1);
    assertThat(out.toString())
        .containsPattern("(?m)^not looked at +other worlds, .*, and other words of in$");
  }

  /** Without the zeros, a word of {@code old} that equals the number of the launch is a flag. */
  @Test
  void mistakesThatNeedCertainInputWordsAreFound() throws IOException {
    String flags =
        """
        form flags
        param B <= 64
        input in[B]
        input old[2 * B]
        scratch box[128]
        scratch zero[128]
        output out[B]
        output outa[2 * B]
        barrier b1
        barrier b2
        barrier done
        ensure out[0] = in@((r - 1) % n)[0] bytes B
        ensure outa[0] = old@((r - 1) % n)[0] bytes 2 * B

        lane main: sm(32) {
          let succ = (r + 1) % n
          move box@succ[0] <- old[0] bytes 2 * B
          barrier b1
          move outa[0] <- box[0] bytes 2 * B
          sync
          move box[0] <- zero[0] bytes 2 * B
          barrier b2
          move box@succ[0] pkt8(epoch) <- in[0] bytes B
          move out[0] <- box[0] pkt8(epoch) bytes B
          barrier done
        }
        """;
    run(flags, "--world", "1x2");
    assertThat(out.toString())
        .containsPattern("(?m)^race +21 +drop, 'move box\\[0\\] <- zero\\[0\\] bytes 2 \\* B'$")
        .containsPattern("(?m)^not looked at +other worlds, .*, and other words of old$");
  }

  @Test
  void aSurvivorThatIsNotShownEquivalentIsExitCodeOne() throws IOException {
    assertThat(run(HANDSHAKE, "--world", "1x2", "--executions", "5", "--states", "3")).isOne();
    assertThat(out.toString())
        .contains("the same outcomes as the original, in every order of synchronisation; too many")
        .containsPattern(
            "(?m)^verdict +\\d+ not found in this world and size, and not shown to change")
        .containsPattern("(?m)^next +oriel mutate .* --world 2x1$");
  }

  /** It has no earlier launches to start after, so a wrap finds nothing. */
  @Test
  void anUnobservableLoopDoesNotStopTheCommand() throws IOException {
    run("form d lane m: sm(32) { for a < 4000000000 { sync } }", "--executions", "1");
    assertThat(err.toString()).isEmpty();
    assertThat(out.toString()).contains("verdict  ");
  }

  @Test
  void writesJson() throws IOException {
    assertThat(run(HANDSHAKE, "--world", "1x2", "--executions", "5", "--json")).isZero();
    assertThat(out.toString())
        .startsWith("{\"program\":\"handshake\",\"ranks\":2,\"profile\":\"rdma-strict\"")
        .contains("\"killer\":\"fifo\"", "\"likeness\":\"same\"")
        .endsWith("}\n");
  }

  @Test
  void aWrongProgramIsRejected() throws IOException {
    String wrong =
        HANDSHAKE.replace(
            "signal DATA[0]@succ set epoch release", "signal DATA[0]@succ set epoch relaxed");
    assertThat(run(wrong, "--world", "1x2")).isEqualTo(2);
    assertThat(err.toString())
        .contains("the program itself is wrong: program=handshake, kind=race");
  }
}
