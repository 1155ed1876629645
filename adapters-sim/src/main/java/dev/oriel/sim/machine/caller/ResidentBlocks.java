package dev.oriel.sim.machine.caller;

import dev.oriel.domain.program.LaneFamily;
import dev.oriel.ports.MachineException;
import dev.oriel.sim.machine.lane.LaneSteps;
import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.state.MachineState;
import dev.oriel.sim.replay.ChoiceSource;

/**
 * Begins the lanes of a launch. If the profile limits the resident lanes of a rank, a thread block
 * begins when there is room for its whole cluster, and keeps its room until it ends. Clusters begin
 * in their order, as GPUs do today, or in any order, since CUDA promises none. Lanes of other
 * engines need no room.
 */
final class ResidentBlocks {
  /** The place of a lane that waits for room on its GPU. */
  private static final int NOT_STARTED = -1;

  private final MachineModel model;
  private final LaneSteps lanes;
  private final int most;
  private final boolean anyOrder;

  /** By rank: whether it has more blocks than may be resident. */
  private final boolean[] crowded;

  /** By lane, for the first one of a cluster: the number of lanes of the cluster. */
  private final int[] size;

  ResidentBlocks(MachineModel model, LaneSteps lanes) {
    this.model = model;
    this.lanes = lanes;
    most = model.profile.resident() == 0 ? Integer.MAX_VALUE : model.profile.resident();
    anyOrder = model.profile.anyStart();
    crowded = new boolean[model.world];
    size = new int[model.lanes];
    for (int rank = 0; rank < model.world; rank++) {
      int blocks = 0;
      for (int l = model.firstLane[rank]; l < model.firstLane[rank + 1]; l++) {
        blocks += block(l) ? 1 : 0;
        size[model.cluster(l)]++;
      }
      crowded[rank] = blocks > most;
    }
    requireClustersFit();
  }

  private void requireClustersFit() {
    for (int l = 0; l < model.lanes; l++) {
      if (block(l) && size[l] > most) {
        throw new MachineException(
            "no room for a cluster: lane=%s, cluster=%d, profile=%s; use resident=%d or more, or smaller clusters"
                .formatted(model.laneName(l), size[l], model.profile.name(), size[l]));
      }
    }
  }

  private boolean block(int lane) {
    return model.lane(lane).engine() instanceof LaneFamily.Engine.Sm;
  }

  /** Whether some lanes of the rank begin after others of its launch have ended. */
  boolean late(int rank) {
    return crowded[rank];
  }

  /** Whether a launch of the rank chooses the lanes that begin. */
  boolean chooses(int rank) {
    return anyOrder && crowded[rank];
  }

  /** Whether the end of a lane of the rank may choose the lanes that begin. */
  boolean chooses(MachineState s, int rank) {
    return chooses(rank) && waits(s, rank);
  }

  private boolean waits(MachineState s, int rank) {
    for (int l = model.firstLane[rank]; l < model.firstLane[rank + 1]; l++) {
      if (s.at[l] == NOT_STARTED && !s.ended[l]) {
        return true;
      }
    }
    return false;
  }

  /** Begins a launch of the rank with the lanes for which there is room. */
  void launch(MachineState s, int rank, ChoiceSource branch) {
    int end = model.firstLane[rank + 1];
    for (int l = model.firstLane[rank]; l < end; l++) {
      s.at[l] = NOT_STARTED;
      s.ended[l] = false;
    }
    for (int l = model.firstLane[rank]; l < end; l++) {
      if (!crowded[rank] || !block(l)) {
        lanes.begin(s, l);
      }
    }
    fill(s, rank, branch);
  }

  /** Begins lanes of the rank in the room that others have left. */
  void fill(MachineState s, int rank, ChoiceSource branch) {
    if (!crowded[rank]) {
      return;
    }
    int room = most - running(s, rank);
    while (true) {
      int options = options(s, rank, room);
      if (options == 0) {
        return;
      }
      int first = option(s, rank, room, branch.choose(options));
      for (int l = first; l < first + size[first]; l++) {
        lanes.begin(s, l);
      }
      room -= size[first];
    }
  }

  private int running(MachineState s, int rank) {
    int running = 0;
    for (int l = model.firstLane[rank]; l < model.firstLane[rank + 1]; l++) {
      running += block(l) && s.at[l] != NOT_STARTED && !s.ended[l] ? 1 : 0;
    }
    return running;
  }

  /** How many clusters may begin next: in order, the first one that waits or none. */
  private int options(MachineState s, int rank, int room) {
    int options = 0;
    for (int l = model.firstLane[rank]; l < model.firstLane[rank + 1]; l += size[l]) {
      if (s.at[l] == NOT_STARTED && !s.ended[l]) {
        options += size[l] <= room ? 1 : 0;
        if (!anyOrder) {
          return options;
        }
      }
    }
    return options;
  }

  /** The first lane of the cluster with that number among those that may begin next. */
  private int option(MachineState s, int rank, int room, int number) {
    int left = number;
    int lane = model.firstLane[rank];
    while (true) {
      if (s.at[lane] == NOT_STARTED && !s.ended[lane] && size[lane] <= room && left-- == 0) {
        return lane;
      }
      lane += size[lane];
    }
  }
}
