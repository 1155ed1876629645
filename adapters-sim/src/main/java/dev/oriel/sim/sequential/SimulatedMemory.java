package dev.oriel.sim.sequential;

import dev.oriel.domain.registration.AddressRange;
import dev.oriel.domain.registration.MemoryKind;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.UserMemory;
import dev.oriel.ports.setup.SpanChecks;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Memory that the application of one rank allocates: in place of calls such as {@code cuMemAlloc}
 * where there is no GPU. Each rank has addresses of its own, as each GPU of a process has. A freed
 * address is given out again as soon as it fits.
 *
 * <p>Stricter than a driver: it refuses to free memory that a buffer still uses.
 */
public final class SimulatedMemory {
  /** Allocations begin at multiples of this. */
  private static final long APART = 256;

  private static final long LARGEST = Integer.MAX_VALUE - 8L;

  private final SequentialWire wire;
  private final long first;
  private final TreeMap<Long, Allocation> allocations = new TreeMap<>();

  /** The bytes of an allocation, and the number of buffers that use it. */
  static final class Allocation {
    final AddressRange range;
    final MemoryKind kind;
    final byte[] bytes;
    private int buffers;

    Allocation(AddressRange range, MemoryKind kind) {
      this.range = range;
      this.kind = kind;
      this.bytes = new byte[(int) range.length()];
    }
  }

  /**
   * The memory of one rank, without allocations.
   *
   * @param first the lowest of its addresses
   */
  SimulatedMemory(SequentialWire wire, long first) {
    this.wire = wire;
    this.first = first;
  }

  /**
   * The memory of that rank's application.
   *
   * @throws IllegalArgumentException if it is a member on another machine
   */
  public static SimulatedMemory of(Communicator member) {
    if (member instanceof SequentialCommunicator own) {
      return own.fabric().application();
    }
    throw new IllegalArgumentException(
        "communicator of another machine: class=%s; join ranks on the sequential machine"
            .formatted(member.getClass().getSimpleName()));
  }

  /**
   * Allocates zeroed memory.
   *
   * @throws IllegalArgumentException if the size is not from 1 to the largest array's
   */
  public UserMemory allocate(MemoryKind kind, long bytes) {
    if (bytes < 1 || bytes > LARGEST) {
      throw new IllegalArgumentException(
          "bad size: bytes=%d; use 1 to %d".formatted(bytes, LARGEST));
    }
    return wire.locked(() -> {
      long base = gap(bytes);
      allocations.put(base, new Allocation(new AddressRange(base, bytes), kind));
      return new UserMemory(base, bytes);
    });
  }

  private long gap(long bytes) {
    long base = first;
    for (Allocation each : allocations.values()) {
      if (each.range.base() - base >= bytes) {
        break;
      }
      base = Math.ceilDiv(each.range.end(), APART) * APART;
    }
    return base;
  }

  /**
   * Frees an allocation.
   *
   * @throws MachineException if there is none at that address, or a buffer uses it
   */
  public void free(UserMemory memory) {
    wire.change(() -> {
      Allocation found = allocations.get(memory.address());
      if (found == null) {
        throw missing(memory);
      }
      if (found.buffers > 0) {
        throw new MachineException(
            "memory is freed while buffers use it: address=%d, bytes=%d, buffers=%d; close the buffers first"
                .formatted(memory.address(), found.range.length(), found.buffers));
      }
      allocations.remove(memory.address());
    });
  }

  /** Writes bytes as the application does. */
  public void write(UserMemory memory, long offset, byte[] from) {
    wire.change(() -> {
      Allocation found = find(memory);
      System.arraycopy(
          from, 0, found.bytes, place(found, memory, offset, from.length), from.length);
    });
  }

  /** Reads bytes as the application does. */
  public byte[] read(UserMemory memory, long offset, int length) {
    return wire.locked(() -> {
      Allocation found = find(memory);
      byte[] bytes = new byte[length];
      System.arraycopy(found.bytes, place(found, memory, offset, length), bytes, 0, length);
      return bytes;
    });
  }

  /** The kind of the memory at that address; empty if it is not the application's. */
  Optional<MemoryKind> kind(UserMemory memory) {
    return memory.address() < first ? Optional.empty() : Optional.of(find(memory).kind);
  }

  private static int place(Allocation found, UserMemory memory, long offset, long length) {
    SpanChecks.check("address=" + memory.address(), offset, length, memory.bytes());
    return (int) (memory.address() - found.range.base() + offset);
  }

  /**
   * The allocation that holds that memory; the caller holds the monitor.
   *
   * @throws MachineException if none does
   */
  Allocation find(UserMemory memory) {
    Map.Entry<Long, Allocation> below = allocations.floorEntry(memory.address());
    if (below == null || below.getValue().range.end() <= memory.address()) {
      throw missing(memory);
    }
    AddressRange range = below.getValue().range;
    if (memory.bytes() > range.end() - memory.address()) {
      throw new MachineException(
          "memory leaves its allocation: address=%d, bytes=%d, allocation=%d, its bytes=%d; give bytes of one allocation"
              .formatted(memory.address(), memory.bytes(), range.base(), range.length()));
    }
    return below.getValue();
  }

  private MachineException missing(UserMemory memory) {
    return new MachineException(
        "no memory at that address: address=%d, bytes=%d; it was freed, or it is of another GPU: give memory that is allocated on the GPU of the rank"
            .formatted(memory.address(), memory.bytes()));
  }

  /** Counts one more buffer, or one less; the caller holds the monitor. */
  static void count(Allocation allocation, int buffers) {
    allocation.buffers += buffers;
  }
}
