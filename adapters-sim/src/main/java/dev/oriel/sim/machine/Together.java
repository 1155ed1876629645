package dev.oriel.sim.machine;

import dev.oriel.domain.program.Lane;
import dev.oriel.sim.machine.layout.Model;
import dev.oriel.sim.machine.terms.Detectors;
import dev.oriel.sim.machine.terms.Feature;

/**
 * Lanes of a rank that one thread runs, where the machine does not model concurrent blocks or host
 * threads. The first enabled lane runs, ordered after all that the others did.
 */
final class Together {
  private final Model model;
  private final boolean blocks;
  private final boolean hosts;

  /** Whether there are any. */
  final boolean any;

  Together(Model model, Detectors detectors) {
    this.model = model;
    blocks = detectors.lacking().contains(Feature.BLOCKS);
    hosts = detectors.lacking().contains(Feature.HOST_LANES);
    any = blocks || hosts;
  }

  private boolean are(int lane, int other) {
    boolean both = block(lane) && block(other);
    return lane != other && model.rank(lane) == model.rank(other) && (both ? blocks : hosts);
  }

  private boolean block(int lane) {
    return model.lane(lane).engine() instanceof Lane.Engine.Sm;
  }

  /** Orders what the lane did before later steps of the other lanes of its thread. */
  void told(Clocks clocks, State s, int lane) {
    for (int l = 0; l < model.lanes; l++) {
      if (are(lane, l)) {
        clocks.together(s, lane, l);
      }
    }
  }

  /** Keeps only the first enabled lane of each thread enabled. */
  void hold(EnabledAgents enabled, State s) {
    for (int l = model.lanes - 1; l >= 0; l--) {
      for (int before = 0; before < l; before++) {
        if (are(before, l) && enabled.contains(s, before)) {
          enabled.mark(s, l, false);
        }
      }
    }
  }
}
