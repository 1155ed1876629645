package dev.oriel.sim.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.machine.settings.Profile;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Advice is printed only if a program that follows it does not have the finding. */
class ExploredAdviceTest {

  /** A put races with a load of its target; the other context's source has a race of its own. */
  private static final String CONTEXTS =
      """
      form two_contexts
      scratch mine[16]
      scratch box[16]
      lane main: sm(32) {
        let next = (r + 1) % n
        put box@next[0] <- mine[0] bytes 8 via 1 nb
        put box@next[8] <- mine[8] bytes 8 via 3 nb
        load x <- box[0]
        store mine[8] <- 1
        quiet via 1
        quiet via 3
      }
      """;

  /** Two lanes load and store one word; their puts have a race of their own. */
  private static final String LANES =
      """
      form two_lanes
      scratch word[8]
      scratch mine[16]
      scratch box[8]
      lane one: sm(32) {
        put box@((r + 1) % n)[0] <- mine[0] bytes 8 nb
        load x <- word[0]
        store word[0] <- 1
        quiet
      }
      lane two: sm(32) {
        put box@((r + 1) % n)[0] <- mine[8] bytes 8 nb
        load x <- word[0]
        store word[0] <- 2
        quiet
      }
      """;

  private static final String BUFFERING =
      """
      form buffering
      scratch x[8]
      scratch y[8]
      scratch a[8]
      scratch b[8]
      signal S[2]
      lane left: sm(32) {
        store x[0] <- 1 release
        load p <- y[0] acquire
        signal S[0]@r set p + 1 release
      }
      lane right: sm(32) {
        store y[0] <- 1 release
        load q <- x[0] acquire
        await S[0]@r >= 1 acquire
        read p <- S[0]@r acquire
        check p + q >= 2 else 3
      }
      """;

  private static final String POLLING =
      """
      form polling
      scratch flag[8]
      scratch data[8]
      lane writer: sm(32) {
        store data[0] <- 7
        store flag[0] <- 1 release
      }
      lane reader: sm(32) {
        load seen <- flag[0]
        if seen == 1 {
          load x <- data[0]
        }
      }
      """;

  private static String message(String text, String shape) {
    return message(text, shape, Strategy.SYNCHRONISATION);
  }

  private static String message(String text, String shape, Strategy strategy) {
    Topology topology = Topology.parse(shape);
    Program program = Program.bind(FormParser.parse(text), topology.world(), Map.of());
    return new Checker(strategy, Budget.DEFAULT, 1, Checker.strict(Profile.L2, 1))
        .check(program, topology)
        .violation()
        .map(v -> v.kind() + ": " + v.message())
        .orElse("nothing");
  }

  /** A quiet only moves the racing steps in time; the same race is left in another execution. */
  @Test
  void noQuietIsAdvisedThatLeavesTheRace() {
    assertThat(message(CONTEXTS, "2x1", Strategy.FIFO))
        .startsWith("race: race: buffer=box")
        .doesNotContain("quiet")
        .contains("signal with release after one access");
  }

  @ParameterizedTest
  @EnumSource(names = {"FIFO", "RANDOM", "SYNCHRONISATION"})
  void noFlushIsAdvisedForTwoLanesWithOneWord(Strategy strategy) {
    assertThat(message(LANES, "2x1", strategy))
        .startsWith("race: race: buffer=word")
        .doesNotContain("flush")
        .contains("signal with release after one access");
  }

  @Test
  void storeBufferingIsRecognised() {
    assertThat(message(BUFFERING, "1x1"))
        .startsWith("check")
        .contains("store buffering")
        .contains("order sc");
    String repaired =
        BUFFERING
            .replace("store x[0] <- 1 release", "store x[0] <- 1 release\n  order sc sys")
            .replace("store y[0] <- 1 release", "store y[0] <- 1 release\n  order sc sys");
    assertThat(message(repaired, "1x1")).isEqualTo("nothing");
    String wrong = BUFFERING.replace(">= 2", ">= 9");
    assertThat(message(wrong, "1x1")).startsWith("check").doesNotContain("store buffering");
  }

  @Test
  void aPollingLoadIsMadeToAcquire() {
    assertThat(message(POLLING, "1x1")).startsWith("race").contains("make the load acquire");
    assertThat(message(POLLING.replace("<- flag[0]\n", "<- flag[0] acquire\n"), "1x1"))
        .isEqualTo("nothing");
    String relaxed = POLLING.replace("<- 1 release", "<- 1 relaxed");
    assertThat(message(relaxed, "1x1")).startsWith("race").doesNotContain("make the load");
  }

  private static final String PULL =
      """
      form pull
      input in[8]
      output out[8]
      window pub[8]
      signal UP[1]
      signal DONE[1]
      ensure out[0] = in@((r + 1) % n)[0] bytes 8
      lane main: sm(32) {
        let succ = (r + 1) % n
        let pred = (r - 1) % n
        await DONE[0]@pred reached epoch - 1 acquire
        move pub[0] <- in[0] bytes 8
        signal UP[0]@pred set epoch release
        await UP[0]@succ reached epoch acquire
        get out[0] <- pub@succ[0] bytes 8 nb
        signal DONE[0]@succ set epoch release
      }
      """;

  @Test
  void aRequestThatHadNotCompletedIsRecognised() {
    assertThat(message(PULL, "2x1"))
        .startsWith("value")
        .endsWith(
            "requests had not completed; smallest repair: a quiet before lane=main signals others"
                + " or ends");
    String repaired = PULL.replace("  signal DONE", "  quiet\n  signal DONE");
    assertThat(message(repaired, "2x1")).isEqualTo("nothing");
    String wrong = repaired.replace("<- pub@succ[0] bytes 8 nb", "<- pub@succ[0] bytes 7");
    assertThat(message(wrong, "2x1")).startsWith("value").doesNotContain("repair");
  }

  /** The sum of FREE announces nothing in launch 1, so it is not the one to change. */
  @Test
  void theSumThatAnnouncesTooLittleIsNamed() {
    String text =
        """
        form gather
        input in[8]
        window box[n * 8]
        output out[n * 8]
        signal ARR[1]
        signal FREE[1]
        lane main: sm(32) {
          await sum FREE[0]@peers reached (epoch - 1) * (n - 1) acquire
          move box@all[r * 8] <- in[0] bytes 8
          signal ARR[0]@all add 1 release
          await sum ARR[0]@all reached (epoch - 1) * n + 1 acquire
          move out[0] <- box[0] bytes n * 8
          signal FREE[0]@peers add 1 release
        }
        """;
    assertThat(message(text, "1x3", Strategy.FIFO))
        .startsWith("sum: awaited sum was reached without the signal of one rank: signal=ARR[0]")
        .contains("await a larger sum");
  }
}
