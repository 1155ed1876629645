package dev.oriel.cuda.process;

import dev.oriel.cuda.driver.AllocationSharing;
import dev.oriel.cuda.driver.DeviceAllocation;
import dev.oriel.cuda.driver.ExportedAllocation;
import dev.oriel.cuda.driver.OpenDescriptor;
import dev.oriel.cuda.driver.ResourceStack;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.UserMemory;
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
  private final PeerFiles files;
  private final ProcessSecret process;

  /**
   * An exchange between ranks.
   *
   * @param files for this exchange alone
   */
  public AllocationExchange(
      Bootstrap ranks, AllocationSharing gpu, OpenAllocations opened, PeerFiles files) {
    this(ranks, gpu, opened, files, THIS_PROCESS);
  }

  AllocationExchange(
      Bootstrap ranks,
      AllocationSharing gpu,
      OpenAllocations opened,
      PeerFiles files,
      ProcessSecret process) {
    this.ranks = ranks;
    this.gpu = gpu;
    this.opened = opened;
    this.files = files;
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
    byte[] description = StepAgreement.all(ranks, step + ": lend", () -> export(mine));
    List<byte[]> all = ranks.allGather(step + ": exchange", description);
    if (all.stream().anyMatch(theirs -> !parsed(theirs).isEmpty())) {
      owned.add(apart);
    }
    return StepAgreement.all(ranks, step + ": reach", () -> reach(all, owned));
  }

  /**
   * The first half: sends the files of this rank's memory to all others. All ranks must agree
   * before the second half.
   *
   * @return the description for the others
   * @throws MachineException if the memory cannot be lent
   */
  public byte[] export(Map<String, UserMemory> mine) {
    List<SharedAllocation> all = new ArrayList<>();
    mine.forEach((name, memory) -> all.add(described(name, memory)));
    int bytes = Integer.BYTES + all.stream().mapToInt(SharedAllocation::encodedBytes).sum();
    ByteBuffer to = ByteBuffer.allocate(bytes).putInt(all.size());
    all.forEach(one -> one.into(to));
    return to.array();
  }

  private SharedAllocation described(String name, UserMemory memory) {
    DeviceAllocation allocation = gpu.find(memory).holding(memory, gpu.gpu()).exportable(memory);
    try (ExportedAllocation exported = gpu.export(allocation)) {
      exported.files().forEach(files::hand);
      OpenAllocations.Key key =
          new OpenAllocations.Key(process, allocation.id(), allocation.base(), allocation.bytes());
      return SharedAllocation.of(name, memory, gpu.gpu(), key, exported);
    }
  }

  /**
   * The second half: maps the memory that the others describe.
   *
   * @param descriptions each rank's description
   * @param owned receives every mapping, also if it fails
   */
  public List<Map<String, MappedAllocation>> reach(List<byte[]> descriptions, ResourceStack owned) {
    List<Map<String, MappedAllocation>> reached = new ArrayList<>();
    for (int rank = 0; rank < descriptions.size(); rank++) {
      Map<String, MappedAllocation> byName = new TreeMap<>();
      for (SharedAllocation shared : parsed(descriptions.get(rank))) {
        byName.put(
            shared.name(), new MappedAllocation(address(rank, shared, owned), shared.bytes()));
      }
      reached.add(byName);
    }
    return reached;
  }

  private static List<SharedAllocation> parsed(byte[] theirs) {
    ByteBuffer from = ByteBuffer.wrap(theirs);
    int count = from.remaining() < Integer.BYTES ? -1 : from.getInt();
    if (count < 0 || count > MAX_COUNT) {
      throw new MachineException(
          "a rank's description of its memory cannot be read: count=%d; run one version on all ranks"
              .formatted(count));
    }
    List<SharedAllocation> shared = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      shared.add(SharedAllocation.from(from));
    }
    return shared;
  }

  private long address(int rank, SharedAllocation shared, ResourceStack owned) {
    if (rank == ranks.rank()) {
      return shared.address();
    }
    try (ExportedAllocation arrived =
        new ExportedAllocation(shared.kind(), shared.handle(), files(rank, shared.files()))) {
      if (shared.process().equals(process) && gpu.reaches(shared.kind())) {
        gpu.reach(shared.gpu(), shared.kind(), shared.address());
        return shared.address();
      }
      OpenAllocations.AllocationHolder held = owned.add(opened.hold(shared.allocation(), arrived));
      if (shared.bytes() > held.bytes() - shared.offset()) {
        throw new MachineException(
            "a rank's memory is smaller than it says: rank=%d, name=%s, bytes=%d, offset=%d, mapped=%d; run one version on all ranks"
                .formatted(rank, shared.name(), shared.bytes(), shared.offset(), held.bytes()));
      }
      return held.base() + shared.offset();
    }
  }

  private List<OpenDescriptor> files(int rank, int count) {
    List<OpenDescriptor> taken = new ArrayList<>();
    try {
      for (int i = 0; i < count; i++) {
        taken.add(files.take(rank));
      }
      return taken;
    } catch (MachineException e) {
      taken.forEach(OpenDescriptor::close);
      throw e;
    }
  }
}
