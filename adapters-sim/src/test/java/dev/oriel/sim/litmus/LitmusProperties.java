package dev.oriel.sim.litmus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.sim.litmus.answer.MemoryModel;
import dev.oriel.sim.litmus.test.LitmusTest;
import dev.oriel.sim.litmus.text.LitmusParser;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Laws that every model obeys on random small programs. */
class LitmusProperties {

  @Property(tries = 1500)
  void agreesWithTheSlowEnumerator(@ForAll long seed, @ForAll MemoryModel model) {
    RandomLitmus drawn = RandomLitmus.draw(new SplittableRandom(seed), 5);
    LitmusTest test = drawn.parse();
    assertThat(new LitmusChecker(model).states(test))
        .as("%s of%n%s", model, drawn.text(false))
        .isEqualTo(new SlowEnumerator(test, model).states());
  }

  @Property(tries = 1500)
  void strengtheningAddsNoOutcome(@ForAll long seed, @ForAll MemoryModel model) {
    SplittableRandom random = new SplittableRandom(seed);
    RandomLitmus weaker = RandomLitmus.draw(random, 8);
    RandomLitmus stronger = weaker.strengthened(random);
    LitmusTest test = withObservedOf(weaker, stronger);
    assertThat(new LitmusChecker(model).states(test))
        .as("%s of%n%sagainst%n%s", model, stronger.text(false), weaker.text(false))
        .isSubsetOf(new LitmusChecker(model).states(weaker.parse()));
  }

  /**
   * An inserted fence shifts the later registers; its own register, which stays 0, is not observed.
   */
  private static LitmusTest withObservedOf(RandomLitmus weaker, RandomLitmus stronger) {
    String text = stronger.text(false);
    int begin = text.indexOf("locations [");
    StringBuilder observed = new StringBuilder("locations [x; y;");
    for (int t = 0; t < weaker.threads.size(); t++) {
      int shift = stronger.threads.get(t).size() - weaker.threads.get(t).size();
      int at = 0;
      for (int i = 0; i < weaker.threads.get(t).size(); i++) {
        boolean moved =
            shift > 0
                && stronger.threads.get(t).get(i + at).fence()
                && !weaker.threads.get(t).get(i).equals(stronger.threads.get(t).get(i + at));
        at = moved ? 1 : at;
        observed.append(" P%d:r%d;".formatted(t, i + at + 1));
      }
    }
    return LitmusParser.parse(text.substring(0, begin) + observed + "]\nexists true\n");
  }

  @Property(tries = 300)
  void theOrderOfColumnsDoesNotChangeTheVerdict(@ForAll long seed, @ForAll MemoryModel model) {
    RandomLitmus drawn = RandomLitmus.draw(new SplittableRandom(seed), 8);
    LitmusTest turned = LitmusParser.parse(drawn.text(true));
    assertThat(new LitmusChecker(model).states(turned))
        .isEqualTo(new LitmusChecker(model).states(drawn.parse()));
  }

  @Property(tries = 1500)
  void laterModelsAllowLess(@ForAll long seed) {
    RandomLitmus drawn = RandomLitmus.draw(new SplittableRandom(seed), 8);
    LitmusTest test = drawn.parse();
    assertThat(new LitmusChecker(MemoryModel.PTX_ISA).states(test))
        .as(drawn.text(false))
        .isSubsetOf(new LitmusChecker(MemoryModel.PTX_7_5).states(test));
    assertThat(new LitmusChecker(MemoryModel.PTX_7_5).states(test))
        .as(drawn.text(false))
        .isSubsetOf(new LitmusChecker(MemoryModel.PTX_6_0).states(test));
  }

  @Property(tries = 100)
  void givesTheSameVerdictTwice(@ForAll long seed) {
    RandomLitmus drawn = RandomLitmus.draw(new SplittableRandom(seed), 8);
    LitmusChecker checker = new LitmusChecker(MemoryModel.PTX_7_5);
    assertThat(checker.check(drawn.parse())).isEqualTo(checker.check(drawn.parse()));
  }
}
