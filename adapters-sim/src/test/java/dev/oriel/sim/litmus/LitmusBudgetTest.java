package dev.oriel.sim.litmus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.sim.litmus.answer.LitmusVerdict;
import dev.oriel.sim.litmus.answer.LitmusVerdict.Answer;
import dev.oriel.sim.litmus.answer.MemoryModel;
import dev.oriel.sim.litmus.text.LitmusParser;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The cost of a search, counted in executions. Additions to a test here add no choice, so they
 * change only the cost of one execution.
 */
class LitmusBudgetTest {
  private static final int BUDGET = 20_000;

  /** With its initial values 13 events, with far more orders than the budget has choices. */
  private static final List<String> RACE =
      List.of("st.weak x, 1", "ld.weak r0, x", "st.weak x, 2", "ld.weak r1, x");

  private static LitmusVerdict race(List<String> more) {
    List<String> code = new ArrayList<>(RACE);
    code.addAll(more);
    return check(3, code, BUDGET);
  }

  /** Threads of the same code, except that z is a separate location for each. */
  private static LitmusVerdict check(int threads, List<String> code, int budget) {
    StringBuilder text = new StringBuilder("PTX row\n{ x=0; }\n");
    for (int t = 0; t < threads; t++) {
      text.append(t == 0 ? "" : " | ").append("P").append(t).append("@cta ").append(t);
    }
    for (String line : code) {
      text.append(" ;\n");
      for (int t = 0; t < threads; t++) {
        text.append(t == 0 ? "" : " | ").append(line.replace("z", "z" + t));
      }
    }
    text.append(" ;\nexists (P0:r0 == 9)\n");
    return new LitmusChecker(MemoryModel.PTX_7_5, budget, 2)
        .check(LitmusParser.parse(text.toString()));
  }

  private static List<String> stores(int count) {
    return Collections.nCopies(count, "st.weak z, 1");
  }

  /** 64 events: every choice updates relations with four times as many rows. */
  @Test
  void aChoiceAmongManyEventsCostsMore() {
    LitmusVerdict small = race(List.of());
    LitmusVerdict large = race(stores(16));
    assertThat(large.answer()).isEqualTo(Answer.UNDECIDED);
    assertThat(large.bounds()).contains("stopped after the work of 20000 choices");
    assertThat(large.executions()).isBetween(small.executions() / 5, small.executions() / 3);
  }

  /** 900 terms per thread, each evaluated again for each of its two reads. */
  @Test
  void aChoiceWithManyDependentTermsCostsMore() {
    List<String> sum = new ArrayList<>(List.of("mov i, 0", "A:"));
    sum.addAll(Collections.nCopies(100, "add s, s, r0"));
    sum.addAll(List.of("add i, i, 1", "bne i, 9, A", "beq s, 7, B", "B:"));
    LitmusVerdict slow = race(sum);
    assertThat(slow.answer()).isEqualTo(Answer.UNDECIDED);
    assertThat(slow.executions()).isBetween(1L, race(List.of()).executions() / 10);
  }

  /** The whole cost is the setup: no branch of any thread can be taken. */
  @Test
  void theSetupOfALargeSearchCostsToo() {
    List<String> branches = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      branches.addAll(
          List.of(
              "ld.weak r%d, x".formatted(i),
              "beq r%1$d, 9, L%1$d".formatted(i),
              "mov s, %d".formatted(i),
              "L%d:".formatted(i)));
    }
    assertThat(check(2, branches, 3_000).bounds()).isEmpty();
    branches.addAll(stores(26));
    assertThat(check(2, branches, 3_000).bounds())
        .contains("stopped after the work of 3000 choices");
  }

  @Test
  void upToSixteenEventsEveryChoiceCostsOne() {
    long executions = check(2, RACE, 100).executions();
    assertThat(check(2, RACE, 200).executions()).isGreaterThan(executions);
    List<String> padded = new ArrayList<>(RACE);
    padded.addAll(Collections.nCopies(3, "st.weak y, 1"));
    padded.add("add s, r0, r1");
    assertThat(check(2, padded, 100).executions()).isEqualTo(executions);
  }
}
