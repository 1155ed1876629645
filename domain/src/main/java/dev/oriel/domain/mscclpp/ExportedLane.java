package dev.oriel.domain.mscclpp;

import dev.oriel.domain.program.LaneFamily;
import java.util.List;

/**
 * A lane of one rank that becomes a thread block.
 *
 * @param label its name and indices
 */
record ExportedLane(int rank, String label, LaneFamily family, List<LaneStep> steps) {
  ExportedLane {
    steps = List.copyOf(steps);
  }

  /** Labels are unique in a rank. */
  @Override
  public boolean equals(Object other) {
    return other instanceof ExportedLane lane && lane.rank == rank && lane.label.equals(label);
  }

  @Override
  public int hashCode() {
    return 31 * rank + label.hashCode();
  }
}
