package dev.oriel.cuda.process;

import dev.oriel.cuda.driver.OpenDescriptor;
import dev.oriel.cuda.driver.ResourceStack;
import dev.oriel.cuda.driver.SharedMemory;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.setup.StepAgreement;
import java.util.ArrayList;
import java.util.List;

/**
 * Gives each rank the memory of every other: one open file for each.
 *
 * @param maker makes and maps the memory
 */
public record MemoryExchange<M extends SharedMemory>(
    Bootstrap ranks, ProcessMesh mesh, SharedMemory.Maker<M> maker) {

  /**
   * Collective: the memory of each rank as it is mapped here, in rank order.
   *
   * @param bytes of each rank, the same on all
   * @param owned receives the memory and the mappings, also if the step fails
   * @throws MachineException on every rank, with the lowest failing rank's reason
   */
  public List<M> map(String step, int instance, List<Long> bytes, ResourceStack owned) {
    M mine =
        StepAgreement.all(
            ranks, step + ": allocate", () -> hand(instance, bytes.get(ranks.rank()), owned));
    return StepAgreement.all(ranks, step + ": map", () -> take(instance, mine, bytes, owned));
  }

  /**
   * The first half: makes the own memory and sends it to all others. All ranks must agree before
   * the second half.
   */
  public M hand(int instance, long bytes, ResourceStack owned) {
    M made = owned.add(maker.share(bytes));
    try (OpenDescriptor file = made.export()) {
      mesh.hand(instance, file, made.bytes());
    }
    return made;
  }

  /** The second half: maps the memory that the others have sent. */
  public List<M> take(int instance, M mine, List<Long> bytes, ResourceStack owned) {
    List<M> all = new ArrayList<>();
    for (int peer = 0; peer < bytes.size(); peer++) {
      all.add(
          peer == ranks.rank()
              ? mine
              : open(peer, mesh.take(instance, peer), bytes.get(peer), owned));
    }
    return all;
  }

  private M open(int peer, ProcessMesh.ArrivedMemory arrived, long needed, ResourceStack owned) {
    try (OpenDescriptor file = arrived.file()) {
      if (arrived.bytes() < needed) {
        throw new MachineException(
            "peer's memory is too small: rank=%d, bytes=%d, needed=%d; run one version on all ranks"
                .formatted(peer, arrived.bytes(), needed));
      }
      return owned.add(maker.open(file, arrived.bytes()));
    }
  }
}
