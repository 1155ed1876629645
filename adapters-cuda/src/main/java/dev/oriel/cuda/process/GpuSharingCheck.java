package dev.oriel.cuda.process;

import dev.oriel.ports.MachineException;
import java.util.ArrayList;
import java.util.List;

/** Refuses to let several processes run kernels on one GPU. */
public final class GpuSharingCheck {
  private GpuSharingCheck() {}

  /**
   * The process and the GPU of a rank.
   *
   * @param process equal for ranks whose kernels run concurrently on a GPU that they share
   */
  public record ProcessDevice(String process, String gpu) {}

  /**
   * Refuses the placement if ranks of different processes share a GPU. Their kernels would be
   * time-sliced: a kernel that waits for the other one keeps it from running for a whole time
   * slice, again and again.
   *
   * @param seats of each rank, the same list on every rank
   */
  public static void refuse(List<ProcessDevice> seats) {
    List<String> gpus = new ArrayList<>();
    for (int rank = 0; rank < seats.size(); rank++) {
      ProcessDevice seat = seats.get(rank);
      int other = gpus.indexOf(seat.gpu);
      if (other >= 0 && !seats.get(other).process.equals(seat.process)) {
        throw MachineException.lacking(
            "several processes on one GPU: ranks=%d and %d, gpu=%s; their kernels would take turns instead of running at once: give each process a GPU (LOCAL_RANK, CUDA_VISIBLE_DEVICES), or run all ranks in one process"
                .formatted(other, rank, seat.gpu));
      }
      gpus.add(seat.gpu);
    }
  }
}
