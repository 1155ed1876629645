package dev.oriel.cuda.process;

import dev.oriel.cuda.driver.Descriptor;
import dev.oriel.cuda.driver.Resources;
import dev.oriel.cuda.driver.SharedMemory;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.setup.Together;
import java.util.ArrayList;
import java.util.List;

/** How each rank comes by the memory of every other: one open file for each. */
public final class MemoryOfAll {
  private final Bootstrap ranks;
  private final Mesh mesh;
  private final SharedMemory.Maker gpu;

  public MemoryOfAll(Bootstrap ranks, Mesh mesh, SharedMemory.Maker gpu) {
    this.ranks = ranks;
    this.mesh = mesh;
    this.gpu = gpu;
  }

  /**
   * Collective: where each rank's memory is mapped here, in rank order.
   *
   * @param bytes of each rank, the same on all
   * @param owned what was made is added to it, also where it fails
   * @throws MachineException on every rank, with the lowest failing rank's reason
   */
  public List<Long> map(String step, int instance, List<Long> bytes, Resources owned) {
    int rank = ranks.rank();
    SharedMemory mine =
        Together.all(
            ranks,
            step + ": allocate",
            () -> {
              SharedMemory made = owned.add(gpu.share(bytes.get(rank)));
              try (Descriptor file = made.export()) {
                mesh.hand(instance, file, made.bytes());
              }
              return made;
            });
    return Together.all(
        ranks,
        step + ": map",
        () -> {
          List<Long> bases = new ArrayList<>();
          for (int peer = 0; peer < bytes.size(); peer++) {
            bases.add(
                peer == rank
                    ? mine.address()
                    : open(peer, mesh.take(instance, peer), bytes.get(peer), owned));
          }
          return bases;
        });
  }

  private long open(int peer, Mesh.Arrived arrived, long needed, Resources owned) {
    try (Descriptor file = arrived.file()) {
      if (arrived.bytes() < needed) {
        throw new MachineException(
            "peer's memory is too small: rank=%d, bytes=%d, needed=%d; run one version on all ranks"
                .formatted(peer, arrived.bytes(), needed));
      }
      return owned.add(gpu.open(file, arrived.bytes())).address();
    }
  }
}
