package dev.oriel.sim.machine.finding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.machine.settings.DetectorSet;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.replay.TimeoutPolicy;
import dev.oriel.sim.search.Budget;
import dev.oriel.sim.search.Checker;
import dev.oriel.sim.search.Strategy;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LostOrderTest {
  private static final String READY = "await READY[0]@succ reached epoch acquire";
  private static final String SECOND = "await SECOND[0]@pred reached epoch acquire";
  private static final String PROGRAM =
      """
      form twice
      input in[8]
      output out[8]
      signal READY[1]
      signal DATA[1]
      signal SECOND[1]
      ensure out[0] = in@((r - 1) % n)[0] bytes 8
      lane main: sm(32) {
        let succ = (r + 1) % n
        let pred = (r - 1) % n
        signal READY[0]@pred set epoch release
        await READY[0]@succ reached epoch acquire
        move out@succ[0] <- in[0] bytes 8
        signal DATA[0]@succ set epoch release
        signal SECOND[0]@succ set epoch release
        await DATA[0]@pred reached epoch acquire
        await SECOND[0]@pred reached epoch acquire
      }
      """;

  /** A race does not end an execution. */
  private static final ExecutionSettings SETTINGS =
      new ExecutionSettings(Profile.L2, 2, DetectorSet.VALUES, TimeoutPolicy.NEVER);

  private static ExecutionRecord story(String text) {
    Form form = FormParser.parse(text);
    Budget budget = new Budget(1, 1000, 1000, 1_000_000);
    return new Checker(Strategy.FIFO, budget, 1, SETTINGS)
        .story(Program.bind(form, 2, Map.of()), Topology.parse("1x2"));
  }

  private static LostOrder.Answer without(String line) {
    return LostOrder.between(story(PROGRAM), story(PROGRAM.replace("  " + line + "\n", "")));
  }

  @Test
  void equalProgramsLoseNoOrder() {
    LostOrder.Answer answer = LostOrder.between(story(PROGRAM), story(PROGRAM));
    assertThat(answer.pairs()).isZero();
    assertThat(answer.kept()).isEmpty();
    assertThat(answer.open()).isFalse();
  }

  @Test
  void theOtherOfTwoAwaitsIsNamed() {
    LostOrder.Answer answer = without("await DATA[0]@pred reached epoch acquire");
    assertThat(answer.pairs()).isPositive();
    assertThat(answer.whole()).isTrue();
    assertThat(answer.kept())
        .hasValueSatisfying(kept -> {
          assertThat(kept.first()).isEqualTo("move out@succ[0] <- in[0] bytes 8");
          assertThat(kept.second()).isEqualTo("the end of the launch");
          assertThat(kept.by()).isEqualTo(SECOND);
        });
  }

  /** No other synchronisation orders the peer caller's read before the overwriting store. */
  @Test
  void withoutOtherOrderThePairIsOpen() {
    LostOrder.Answer answer = without(READY);
    assertThat(answer.open()).isTrue();
  }

  /** The awaits that matter come after many that are redundant. */
  @Test
  void anOpenPairIsFoundAfterManyOthers() {
    StringBuilder more = new StringBuilder();
    for (int i = 0; i < 8; i++) {
      more.append("  signal NONE[%d]@pred set epoch release\n".formatted(i));
      more.append("  await NONE[%d]@succ reached epoch acquire\n".formatted(i));
    }
    String many =
        PROGRAM
            .replace("signal DATA[1]\n", "signal DATA[1]\nsignal NONE[8]\nscratch mid[8]\n")
            .replace(
                "SECOND[0]@pred reached epoch acquire\n",
                "SECOND[0]@pred reached epoch acquire\n  move mid[0] <- out[0] bytes 8\n")
            .replace("  signal READY[0]@pred", more + "  signal READY[0]@pred");
    String fewer = many.replaceAll("  await (NONE|DATA|SECOND).*\n", "");
    LostOrder.Answer answer = LostOrder.between(story(many), story(fewer));
    assertThat(answer.pairs()).isGreaterThan(8);
    assertThat(answer.open()).isTrue();
  }

  /**
   * An access of half the size is a different access: pairs that depend on the old one are not
   * compared.
   */
  @Test
  void aMissingAccessIsReported() {
    LostOrder.Answer answer =
        LostOrder.between(
            story(PROGRAM),
            story(PROGRAM.replace("in[0] bytes 8\n  signal", "in[0] bytes 4\n  signal")));
    assertThat(answer.pairs()).isPositive();
    assertThat(answer.whole()).isFalse();
  }

  /**
   * One lane awaits the other lane's write; without the await, only accesses of different ranks are
   * ordered.
   */
  @Test
  void anOpenPairOfLanesOfOneRankIsFound() {
    String await = "  await HERE[0]@r reached epoch acquire\n";
    String lanes =
        PROGRAM
                .replace("signal DATA[1]\n", "signal DATA[1]\nsignal HERE[1]\nscratch mid[8]\n")
                .replace("output out[8]\n", "output out[8]\noutput second[8]\n")
                .replace(
                    "  await SECOND[0]@pred reached epoch acquire\n",
                    """
                      await SECOND[0]@pred reached epoch acquire
                      move mid[0] <- in[0] bytes 8
                      signal HERE[0]@r set epoch release
                    """)
            + """
            lane other: sm(32) {
            %s  move second[0] <- mid[0] bytes 8
            }
            """
                .formatted(await);
    LostOrder.Answer answer = LostOrder.between(story(lanes), story(lanes.replace(await, "")));
    assertThat(answer.kept()).isPresent();
    assertThat(answer.open()).isTrue();
  }
}
