package dev.oriel.sim.litmus;

import dev.oriel.sim.litmus.answer.MemoryModel;
import dev.oriel.sim.litmus.answer.SearchBudget;
import dev.oriel.sim.litmus.steps.OperationalSearch;
import dev.oriel.sim.litmus.text.LitmusParser;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/**
 * Reports the states of a litmus test that the operational engine reaches. The argument is a line
 * with the model, then the test's text. Loaded together with a changed engine, so its interface
 * consists of strings.
 */
@SuppressWarnings("StringSplitter")
public final class LitmusBattery implements UnaryOperator<String> {
  private static final long MOMENTS = 20_000;

  @Override
  public String apply(String program) {
    String[] parts = program.split("\n", 2);
    OperationalSearch search =
        new OperationalSearch(
            LitmusParser.parse(parts[1]),
            MemoryModel.parse(parts[0]),
            LitmusChecker.DEFAULT_UNROLL,
            new SearchBudget(MOMENTS));
    search.run();
    TreeSet<String> states = new TreeSet<>();
    search.outcomes().states().stream().map(List::toString).forEach(states::add);
    return search.shortfall() + states;
  }

  /** A drawn program that may detect changes of the engine. */
  public static String drawn(long seed, String model) {
    return model + "\n" + DrawnTest.text(new SplittableRandom(seed), 9);
  }
}
