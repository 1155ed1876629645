package dev.oriel.cuda;

import dev.oriel.cuda.driver.Gpu;
import dev.oriel.cuda.process.GpuSharingCheck;
import dev.oriel.domain.binding.Program;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.MachineException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** What processes with a rank each must agree on. All see the same facts, so all refuse alike. */
final class ProcessAgreement {
  private ProcessAgreement() {}

  /**
   * The GPUs of all ranks by UUID.
   *
   * @param sharing whether two of them may be one
   * @throws MachineException if two are one and may not: each rank counts as a process of its own,
   *     and no process counts the lanes of several ranks on one GPU
   */
  static List<String> gpus(Bootstrap ranks, Gpu gpu, boolean sharing) {
    byte[] mine = gpu.uuid().toString().getBytes(StandardCharsets.US_ASCII);
    List<GpuSharingCheck.ProcessDevice> all = new ArrayList<>();
    for (byte[] theirs : ranks.allGather("cuda: gpus", mine)) {
      String process = Integer.toString(all.size());
      all.add(
          new GpuSharingCheck.ProcessDevice(
              process, new String(theirs, StandardCharsets.US_ASCII)));
    }
    if (!sharing) {
      GpuSharingCheck.refuse(all);
    }
    return all.stream().map(GpuSharingCheck.ProcessDevice::gpu).toList();
  }

  /** Refuses an instance for which ranks have different programs. */
  static void sameProgram(Bootstrap ranks, int instance, Program program) {
    byte[] mine = program.digest().getBytes(StandardCharsets.US_ASCII);
    List<byte[]> all = ranks.allGather("instance " + instance + ": program", mine);
    String first = new String(all.getFirst(), StandardCharsets.US_ASCII);
    for (int rank = 1; rank < all.size(); rank++) {
      String digest = new String(all.get(rank), StandardCharsets.US_ASCII);
      if (!digest.equals(first)) {
        throw new MachineException(
            "ranks prepare other programs: rank=%d, digest=%s, digest of rank 0=%s; prepare the same programs in the same order"
                .formatted(rank, digest, first));
      }
    }
  }
}
