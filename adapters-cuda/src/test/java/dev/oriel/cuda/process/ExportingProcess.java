package dev.oriel.cuda.process;

import dev.oriel.cuda.driver.AllocationSharing;
import dev.oriel.cuda.driver.DeviceAllocation;
import dev.oriel.cuda.driver.ExportedAllocation;
import dev.oriel.cuda.driver.OpenedAllocation;
import dev.oriel.domain.registration.MemoryKind;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.UserMemory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A process with a GPU that shares memory as the driver does, and detects errors that the driver
 * would not: opening twice, and closing what is not open.
 */
final class ExportingProcess implements AllocationSharing {
  static final long ALLOCATION = 1 << 20;

  private final int number;
  private final Map<Long, String> open = new TreeMap<>();
  private final List<Integer> reached = new ArrayList<>();
  private boolean refusing;
  private boolean pooled;
  private boolean small;

  ExportingProcess(int number) {
    this.number = number;
  }

  /** From now on opening fails. */
  void refuse() {
    refusing = true;
  }

  /** From now on less is mapped than peers say. */
  void shrink() {
    small = true;
  }

  /** Its application allocates from a pool. */
  void pool() {
    pooled = true;
  }

  /** The allocations that are open here, by process. */
  List<String> open() {
    return List.copyOf(open.values());
  }

  /** The GPUs that were made accessible in this process. */
  List<Integer> reached() {
    return reached;
  }

  /** The address of an allocation in that process. */
  static long base(int process, int allocation) {
    return (process + 1L) * (ALLOCATION << 10) + allocation * ALLOCATION;
  }

  /** The address of an opened allocation: another one than in its own process. */
  long mapped(long base) {
    return base + ((number + 1L) << 50);
  }

  @Override
  public int gpu() {
    return number;
  }

  @Override
  public DeviceAllocation find(UserMemory memory) {
    long base = memory.address() / ALLOCATION * ALLOCATION;
    MemoryKind kind = pooled ? MemoryKind.PRIVATE_POOLED : MemoryKind.ALLOCATED;
    return new DeviceAllocation(number, base, ALLOCATION, base / ALLOCATION, kind);
  }

  @Override
  public void reach(int other, MemoryKind kind, long address) {
    reached.add(other);
  }

  @Override
  public ExportedAllocation export(DeviceAllocation allocation) {
    return new ExportedAllocation(
        allocation.kind(),
        ByteBuffer.allocate(Long.BYTES).putLong(allocation.base()).array(),
        List.of());
  }

  @Override
  public OpenedAllocation open(ExportedAllocation exported) {
    long base = ByteBuffer.wrap(exported.handle()).getLong();
    if (refusing) {
      throw new MachineException("no room for a mapping: process=" + number);
    }
    if (open.putIfAbsent(mapped(base), "base=" + base) != null) {
      throw new AssertionError("opened twice: base=" + base);
    }
    return new OpenedAllocation() {
      @Override
      public long base() {
        return mapped(base);
      }

      @Override
      public long bytes() {
        return small ? 64 : ALLOCATION;
      }

      @Override
      public void close() {
        if (open.remove(mapped(base)) == null) {
          throw new AssertionError("not open: base=" + base);
        }
      }
    };
  }
}
