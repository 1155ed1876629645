package dev.oriel.sim.litmus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.measure.Thorough;
import dev.oriel.sim.litmus.answer.CrossCheck;
import dev.oriel.sim.litmus.answer.CrossCheck.Result;
import dev.oriel.sim.litmus.answer.MemoryModel;
import dev.oriel.sim.litmus.text.LitmusParser;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Both engines find the same states of random programs, except states that no order of steps
 * reaches. {@code -Doriel.litmus.programs=N} selects their number, {@code -Doriel.litmus.seed=S}
 * the seed.
 */
class EnginesTest {
  private static final int PROGRAMS =
      Integer.getInteger("oriel.litmus.programs", Thorough.count(80, 400));
  private static final long SEED = Long.getLong("oriel.litmus.seed", 1);

  private static final List<MemoryModel> MODELS = List.of(MemoryModel.values());

  @Test
  void agreeOnRandomPrograms() {
    Map<String, Integer> results = new TreeMap<>();
    for (int i = 0; i < PROGRAMS; i++) {
      SplittableRandom random = new SplittableRandom(SEED * 1_000_003 + i);
      String drawn = DrawnTest.text(random, 12);
      MemoryModel model = MODELS.get(i % MODELS.size());
      CrossCheck check = new LitmusChecker(model).check(LitmusParser.parse(drawn)).crossCheck();
      assertThat(check.result())
          .as("seed=%d program=%d %s %s%n%s", SEED, i, model, check, drawn)
          .isNotEqualTo(Result.DIFFERS);
      results.merge((check.result() + " " + check.detail()).strip(), 1, Integer::sum);
    }
    System.out.println("engines compared: seed=%d %s".formatted(SEED, results));
    assertThat(results).as("both said something").containsKeys("agrees", "reached-fewer");
  }
}
