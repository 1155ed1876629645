package dev.oriel.sim.replay;

/** Draws every choice evenly. */
public final class RandomChoices implements Choices {
  private final Draws draws;

  public RandomChoices(Draws draws) {
    this.draws = draws;
  }

  @Override
  public int choose(int options) {
    Choices.check(options);
    return options == 1 ? 0 : draws.below(options);
  }
}
