package dev.oriel.sim.replay;

/** Draws every choice evenly. */
final class RandomChoices implements ChoiceSource {
  private final RandomStream draws;

  RandomChoices(RandomStream draws) {
    this.draws = draws;
  }

  @Override
  public int choose(int options) {
    ChoiceSource.check(options);
    return options == 1 ? 0 : draws.below(options);
  }
}
