package dev.oriel.cuda.driver;

import dev.oriel.domain.registration.AddressRange;
import dev.oriel.domain.registration.MemoryKind;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.UserMemory;
import java.util.List;

/**
 * The allocation that contains an application's memory, as the driver describes it.
 *
 * @param gpu the number of its GPU in this process
 * @param pieces consecutive; one, unless the application mapped several one after the other
 * @param id identifies the allocation in this process; ids are never reused
 */
public record DeviceAllocation(int gpu, List<AddressRange> pieces, long id, MemoryKind kind) {
  public DeviceAllocation {
    pieces = List.copyOf(pieces);
  }

  /** An allocation of one piece. */
  public DeviceAllocation(int gpu, long base, long bytes, long id, MemoryKind kind) {
    this(gpu, List.of(new AddressRange(base, bytes)), id, kind);
  }

  /** Its first address. */
  public long base() {
    return pieces.getFirst().base();
  }

  /** Its length. */
  public long bytes() {
    return pieces.getLast().end() - base();
  }

  /**
   * Checks that the allocation contains all of that memory, on that GPU; returns the allocation.
   *
   * @throws MachineException saying why it does not serve
   */
  public DeviceAllocation holding(UserMemory memory, int expected) {
    if (gpu != expected) {
      throw new MachineException(
          "memory of another GPU: address=%d, its gpu=%d, gpu=%d; allocate it on the GPU of the rank"
              .formatted(memory.address(), gpu, expected));
    }
    long offset = memory.address() - base();
    if (offset < 0 || memory.bytes() > bytes() - offset) {
      throw new MachineException(
          "memory leaves its allocation: address=%d, bytes=%d, allocation=%d, its bytes=%d; give bytes of one allocation, all of it mapped"
              .formatted(memory.address(), memory.bytes(), base(), bytes()));
    }
    return this;
  }

  /**
   * Checks that peers can map the allocation; returns the allocation.
   *
   * @throws MachineException with the reason and the remedy
   */
  public DeviceAllocation exportable(UserMemory memory) {
    kind.obstacle()
        .ifPresent(why -> {
          throw new MachineException(
              "memory cannot be shared with peers: address=%d, bytes=%d, kind=%s: %s"
                  .formatted(memory.address(), memory.bytes(), kind, why));
        });
    return this;
  }
}
