package dev.oriel.cuda.process;

import dev.oriel.cuda.driver.AllocationSharing;
import dev.oriel.cuda.driver.ResourceStack;
import dev.oriel.ports.UserMemory;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.setup.StepAgreement;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Gives each rank the memory that other ranks' applications allocated: by its address if the rank
 * is in the same process, else by a handle.
 *
 * <p>A rank may free memory that it lent only once all ranks have closed their mappings. Freeing it
 * earlier makes these mappings invalid.
 */
public final class AllocationExchange {
  private static final ProcessSecret THIS_PROCESS = ProcessSecret.draw();
  private static final int MAX_COUNT = 1 << 12;

  private final Bootstrap ranks;
  private final AllocationSharing gpu;
  private final OpenAllocations opened;
  private final ProcessSecret process;

  public AllocationExchange(Bootstrap ranks, AllocationSharing gpu, OpenAllocations opened) {
    this(ranks, gpu, opened, THIS_PROCESS);
  }

  AllocationExchange(
      Bootstrap ranks, AllocationSharing gpu, OpenAllocations opened, ProcessSecret process) {
    this.ranks = ranks;
    this.gpu = gpu;
    this.opened = opened;
    this.process = process;
  }

  /**
   * The address at which a rank's memory is mapped here.
   *
   * @param bytes the length of the application's memory from that address on
   */
  public record MappedAllocation(long address, long bytes) {}

  /**
   * Collective: the addresses at which each rank's memory is mapped here, by rank and by name. A
   * rank may give any names, and none.
   *
   * @param apart added to {@code owned} if any rank gives memory. It is closed after all mappings
   *     that were opened here, and waits until the others have closed theirs
   * @param owned receives every mapping, also if the step fails
   * @throws MachineException on every rank, with the lowest failing rank's reason
   */
  public List<Map<String, MappedAllocation>> map(
      String step, Map<String, UserMemory> mine, AutoCloseable apart, ResourceStack owned) {
    byte[] told = StepAgreement.all(ranks, step + ": lend", () -> encoded(mine));
    List<List<SharedAllocation>> all =
        ranks.allGather(step + ": exchange", told).stream()
            .map(AllocationExchange::parsed)
            .toList();
    if (all.stream().anyMatch(theirs -> !theirs.isEmpty())) {
      owned.add(apart);
    }
    return StepAgreement.all(
        ranks,
        step + ": reach",
        () -> {
          List<Map<String, MappedAllocation>> reached = new ArrayList<>();
          for (List<SharedAllocation> theirs : all) {
            Map<String, MappedAllocation> byName = new TreeMap<>();
            for (SharedAllocation lent : theirs) {
              byName.put(lent.name(), new MappedAllocation(address(lent, owned), lent.bytes()));
            }
            reached.add(byName);
          }
          return reached;
        });
  }

  private byte[] encoded(Map<String, UserMemory> mine) {
    List<SharedAllocation> lent =
        mine.entrySet().stream()
            .map(e -> SharedAllocation.of(e.getKey(), e.getValue(), gpu, process))
            .toList();
    int bytes = Integer.BYTES + lent.stream().mapToInt(SharedAllocation::encodedBytes).sum();
    ByteBuffer to = ByteBuffer.allocate(bytes).putInt(lent.size());
    lent.forEach(one -> one.into(to));
    return to.array();
  }

  private static List<SharedAllocation> parsed(byte[] theirs) {
    ByteBuffer from = ByteBuffer.wrap(theirs);
    int count = from.remaining() < Integer.BYTES ? -1 : from.getInt();
    if (count < 0 || count > MAX_COUNT) {
      throw new MachineException(
          "a rank's description of its memory cannot be read: count=%d; run one version on all ranks"
              .formatted(count));
    }
    List<SharedAllocation> lent = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      lent.add(SharedAllocation.from(from));
    }
    return lent;
  }

  private long address(SharedAllocation lent, ResourceStack owned) {
    if (lent.process().equals(process)) {
      gpu.reach(lent.gpu());
      return lent.address();
    }
    OpenAllocations.AllocationHolder held =
        owned.add(opened.hold(new OpenAllocations.Key(lent.process(), lent.id()), lent.handle()));
    return held.base() + lent.offset();
  }
}
