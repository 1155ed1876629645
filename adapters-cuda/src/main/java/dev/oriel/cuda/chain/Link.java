package dev.oriel.cuda.chain;

import dev.oriel.domain.lowering.Step;
import java.util.List;

/** One link of a chain; it begins when the one before it has ended. */
public sealed interface Link {

  /** The engine copies bytes, at least one; where and how many is known before any launch. */
  record Copy(Place to, Place from, long bytes) implements Link {}

  /**
   * One warp signals and waits. What follows from the launch's number it works out by itself, so
   * that a chain that was recorded once serves every launch.
   *
   * @param steps straight on, and what they name is a parameter of the form, {@code r}, {@code n},
   *     {@code epoch} or a state word
   * @param last whether it ends the lane
   */
  record Stage(List<Step> steps, boolean last) implements Link {
    public Stage {
      steps = List.copyOf(steps);
    }
  }

  /** Bytes of a rank's buffer from an offset on. */
  record Place(int rank, String buffer, long offset) {}
}
