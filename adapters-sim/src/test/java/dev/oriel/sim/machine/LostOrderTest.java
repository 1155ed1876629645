package dev.oriel.sim.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.Parser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.replay.Timeouts;
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
  private static final Simulation.Terms TERMS =
      new Simulation.Terms(Profile.L2, 2, Detectors.VALUES, Timeouts.NEVER);

  private static Story story(String text) {
    Form form = Parser.parse(text);
    Budget budget = new Budget(1, 1000, 1000, 1_000_000);
    return new Checker(Strategy.FIFO, budget, 1, TERMS)
        .story(Program.bind(form, 2, Map.of()), Topology.parse("1x2"));
  }

  private static LostOrder.Answer without(String line) {
    return LostOrder.between(story(PROGRAM), story(PROGRAM.replace("  " + line + "\n", "")));
  }

  @Test
  void whatIsTheSameLosesNothing() {
    LostOrder.Answer answer = LostOrder.between(story(PROGRAM), story(PROGRAM));
    assertThat(answer.pairs()).isZero();
    assertThat(answer.kept()).isEmpty();
    assertThat(answer.open()).isFalse();
  }

  @Test
  void ofTwoAwaitsTheOtherOneIsNamed() {
    LostOrder.Answer answer = without("await DATA[0]@pred reached epoch acquire");
    assertThat(answer.pairs()).isPositive();
    assertThat(answer.kept())
        .hasValueSatisfying(kept -> {
          assertThat(kept.first()).isEqualTo("move out@succ[0] <- in[0] bytes 8");
          assertThat(kept.second()).isEqualTo("the end of the launch");
          assertThat(kept.by()).isEqualTo(SECOND);
        });
  }

  /** Nothing else says that the peer's caller has read what is overwritten. */
  @Test
  void whereNothingElseOrdersItIsOpen() {
    LostOrder.Answer answer = without(READY);
    assertThat(answer.open()).isTrue();
  }
}
