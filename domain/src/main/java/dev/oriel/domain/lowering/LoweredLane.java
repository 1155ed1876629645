package dev.oriel.domain.lowering;

import dev.oriel.domain.program.Lane;
import java.util.List;

/** The steps of every instance of one lane, in order. */
public record LoweredLane(Lane lane, List<Step> steps) {
  public LoweredLane {
    steps = List.copyOf(steps);
  }

  /** The position of a label among the steps. */
  public int position(int label) {
    for (int i = 0; i < steps.size(); i++) {
      if (steps.get(i).micro() instanceof Micro.Label(int id) && id == label) {
        return i;
      }
    }
    throw new IllegalArgumentException("unknown label: label=" + label + "; lower the lane again");
  }
}
