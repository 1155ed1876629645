package dev.oriel.cuda;

import dev.oriel.ports.MachineException;
import java.util.List;

/** Refuses a GPU that several processes would run lanes on. */
final class Sharing {
  private Sharing() {}

  /**
   * Kernels of different processes take turns on a GPU: one that waits for the other keeps it from
   * running, for as long as a turn lasts, again and again.
   *
   * @param gpus which GPU each rank has, the same list on every rank
   */
  static void refuse(List<String> gpus) {
    for (int rank = 1; rank < gpus.size(); rank++) {
      int other = gpus.indexOf(gpus.get(rank));
      if (other != rank) {
        throw MachineException.lacking(
            "several processes on one GPU: ranks=%d and %d, gpu=%s; their kernels would take turns instead of running at once: give each process a GPU (LOCAL_RANK, CUDA_VISIBLE_DEVICES), or run all ranks in one process"
                .formatted(other, rank, gpus.get(rank)));
      }
    }
  }
}
