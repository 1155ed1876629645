package dev.oriel.sim.replay;

import java.util.Arrays;

/** Lets other choices decide and records them. */
public final class RecordingChoices implements ChoiceSource {
  private final ChoiceSource inner;
  private int[] taken = new int[64];
  private int count;

  public RecordingChoices(ChoiceSource inner) {
    this.inner = inner;
  }

  @Override
  public int choose(int options) {
    int choice = inner.choose(options);
    if (options > 1) {
      if (count == ChoiceScript.MAX_LENGTH) {
        throw new ReplayException(
            "execution too long to record: choices=%d; give it fewer steps".formatted(count));
      }
      if (count == taken.length) {
        taken = Arrays.copyOf(taken, 2 * count);
      }
      taken[count++] = choice;
    }
    return choice;
  }

  /** The choices so far. */
  public ChoiceScript script() {
    return ChoiceScript.of(Arrays.copyOf(taken, count));
  }
}
