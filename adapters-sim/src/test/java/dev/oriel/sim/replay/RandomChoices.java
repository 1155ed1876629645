package dev.oriel.sim.replay;

/** Draws every choice evenly. */
final class RandomChoices implements Choices {
  private final Draws draws;

  RandomChoices(Draws draws) {
    this.draws = draws;
  }

  @Override
  public int choose(int options) {
    Choices.check(options);
    return options == 1 ? 0 : draws.below(options);
  }
}
