package dev.oriel.sim.machine.agent;

import dev.oriel.domain.program.LaneFamily;
import dev.oriel.sim.machine.clocks.ComponentClocks;
import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.settings.DetectorSet;
import dev.oriel.sim.machine.settings.MachineFeature;
import dev.oriel.sim.machine.state.MachineState;

/**
 * Lanes of a rank that one thread runs, where the machine does not model concurrent blocks or host
 * threads. The first enabled lane runs, ordered after all that the others did.
 */
final class CoScheduledLanes {
  private final MachineModel model;
  private final boolean blocks;
  private final boolean hosts;

  /** Whether there are any. */
  final boolean any;

  CoScheduledLanes(MachineModel model, DetectorSet detectors) {
    this.model = model;
    blocks = detectors.lacking().contains(MachineFeature.BLOCKS);
    hosts = detectors.lacking().contains(MachineFeature.HOST_LANES);
    any = blocks || hosts;
  }

  private boolean are(int lane, int other) {
    boolean both = block(lane) && block(other);
    return lane != other && model.rank(lane) == model.rank(other) && (both ? blocks : hosts);
  }

  private boolean block(int lane) {
    return model.lane(lane).engine() instanceof LaneFamily.Engine.Sm;
  }

  /** Orders what the lane did before later steps of the other lanes of its thread. */
  void synchronize(ComponentClocks clocks, MachineState s, int lane) {
    for (int l = 0; l < model.lanes; l++) {
      if (are(lane, l)) {
        clocks.together(s, lane, l);
      }
    }
  }

  /** Keeps only the first enabled lane of each thread enabled. */
  void hold(EnabledAgents enabled, MachineState s) {
    for (int l = model.lanes - 1; l >= 0; l--) {
      for (int before = 0; before < l; before++) {
        if (are(before, l) && enabled.contains(s, before)) {
          enabled.mark(s, l, false);
        }
      }
    }
  }
}
