package dev.oriel.cuda.chain;

import dev.oriel.domain.lowering.LoweredStep;
import java.util.List;

/** One link of a chain; it begins when the link before it has ended. */
public sealed interface ChainLink {

  /** The engine copies at least one byte; places and length are known before any launch. */
  record Copy(Place to, Place from, long bytes) implements ChainLink {}

  /**
   * One warp signals and waits. It computes values that depend on the launch's number itself, and
   * thus a chain that was recorded once serves every launch.
   *
   * @param steps without branches; their names are parameters of the form, {@code r}, {@code n},
   *     {@code epoch} or state words
   * @param last whether the stage ends the lane
   */
  record Stage(List<LoweredStep> steps, boolean last) implements ChainLink {
    public Stage {
      steps = List.copyOf(steps);
    }
  }

  /** Bytes of a rank's buffer from an offset on. */
  record Place(int rank, String buffer, long offset) {}
}
