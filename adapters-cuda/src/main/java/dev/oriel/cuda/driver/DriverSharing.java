package dev.oriel.cuda.driver;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.oriel.domain.registration.AddressRange;
import dev.oriel.domain.registration.MemoryKind;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.UserMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;

/**
 * Shares an application's memory between processes in the way that its kind allows. The driver says
 * of what kind memory is. Bound as foreign functions, since JCuda lacks some of the calls.
 */
final class DriverSharing implements AllocationSharing {
  private static final int MEMORY_TYPE = 2;
  private static final int BUFFER_ID = 7;
  private static final int IS_MANAGED = 8;
  private static final int DEVICE_ORDINAL = 9;
  private static final int LEGACY_IPC_CAPABLE = 10;
  private static final int RANGE_START = 11;
  private static final int RANGE_BYTES = 12;
  private static final int ALLOWED_HANDLES = 14;
  private static final int POOL = 17;
  private static final int MAPPING_BYTES = 18;
  private static final int MAPPING_START = 19;

  private static final int INVALID_VALUE = 1;
  private static final int TYPE_HOST = 1;

  private static final MethodHandle RANGE =
      ForeignFunctions.bind("cuMemGetAddressRange_v2", ADDRESS, ADDRESS, JAVA_LONG);
  private static final MethodHandle ATTRIBUTE =
      ForeignFunctions.bind("cuPointerGetAttribute", ADDRESS, JAVA_INT, JAVA_LONG);

  private final Gpu gpu;

  DriverSharing(Gpu gpu) {
    this.gpu = gpu;
  }

  @Override
  public int gpu() {
    return gpu.ordinal();
  }

  @Override
  public DeviceAllocation find(UserMemory memory) {
    long address = memory.address();
    if (!known(address)) {
      throw new MachineException(
          "no memory at that address: gpu=%d, address=%d, bytes=%d; it was freed, or it is no memory that CUDA knows in this process: give memory that is allocated on the GPU of the rank"
              .formatted(gpu.ordinal(), address, memory.bytes()));
    }
    MemoryKind kind = kind(address);
    List<AddressRange> pieces = new ArrayList<>(List.of(piece(kind, address)));
    int owner = (int) attribute(DEVICE_ORDINAL, address);
    boolean inPieces = kind == MemoryKind.MAPPED || kind == MemoryKind.PRIVATE_MAPPED;
    while (inPieces && pieces.getLast().end() < address + memory.bytes()) {
      long next = pieces.getLast().end();
      if (!known(next) || kind(next) != kind || attribute(DEVICE_ORDINAL, next) != owner) {
        break;
      }
      pieces.add(piece(kind, next));
      if (pieces.size() > ExportedAllocation.MAX_FILES) {
        throw new MachineException(
            "memory consists of too many pieces: address=%d, bytes=%d, pieces=%d, most=%d; map larger pieces, or make several buffers"
                .formatted(address, memory.bytes(), pieces.size(), ExportedAllocation.MAX_FILES));
      }
    }
    return new DeviceAllocation(owner, pieces, attribute(BUFFER_ID, address), kind);
  }

  /** Whether the driver knows memory at that address. */
  private boolean known(long address) {
    try (Arena arena = Arena.ofConfined()) {
      String what = what(MEMORY_TYPE, address);
      int result =
          ForeignFunctions.result(
              gpu, what, ATTRIBUTE, arena.allocate(JAVA_LONG), MEMORY_TYPE, address);
      if (result != 0 && result != INVALID_VALUE) {
        throw Gpu.refused(gpu.ordinal(), what, Gpu.name(result));
      }
      return result == 0;
    }
  }

  private MemoryKind kind(long address) {
    if (attribute(IS_MANAGED, address) != 0) {
      return MemoryKind.MANAGED;
    }
    if (attribute(MEMORY_TYPE, address) == TYPE_HOST) {
      return MemoryKind.HOST;
    }
    if (attribute(LEGACY_IPC_CAPABLE, address) != 0) {
      return MemoryKind.ALLOCATED;
    }
    boolean files = (attribute(ALLOWED_HANDLES, address) & VirtualMemory.POSIX_FILE) != 0;
    if (attribute(POOL, address) != 0) {
      return files ? MemoryKind.POOLED : MemoryKind.PRIVATE_POOLED;
    }
    return files ? MemoryKind.MAPPED : MemoryKind.PRIVATE_MAPPED;
  }

  /** The range of one allocation, or of one mapping. */
  private AddressRange piece(MemoryKind kind, long address) {
    return switch (kind) {
      case ALLOCATED, POOLED, PRIVATE_POOLED -> range(gpu, address);
      case MAPPED, PRIVATE_MAPPED ->
          new AddressRange(attribute(MAPPING_START, address), attribute(MAPPING_BYTES, address));
      case HOST, MANAGED ->
          new AddressRange(attribute(RANGE_START, address), attribute(RANGE_BYTES, address));
    };
  }

  /** The allocation around an address, also one that was opened. */
  static AddressRange range(Gpu gpu, long address) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment base = arena.allocate(JAVA_LONG);
      MemorySegment bytes = arena.allocate(JAVA_LONG);
      ForeignFunctions.call(
          gpu, "cuMemGetAddressRange address=" + address, RANGE, base, bytes, address);
      return new AddressRange(base.get(JAVA_LONG, 0), bytes.get(JAVA_LONG, 0));
    }
  }

  private static String what(int attribute, long address) {
    return "cuPointerGetAttribute attribute=%d, address=%d".formatted(attribute, address);
  }

  /** Reads a value of any width up to 8 bytes: bytes that the driver does not write stay 0. */
  private long attribute(int attribute, long address) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment value = arena.allocate(JAVA_LONG);
      ForeignFunctions.call(gpu, what(attribute, address), ATTRIBUTE, value, attribute, address);
      return value.get(JAVA_LONG, 0);
    }
  }

  @Override
  public void reach(int other, MemoryKind kind, long address) {
    if (other == gpu.ordinal()) {
      return;
    }
    try (Gpu owner = CudaDriver.retain(other)) {
      gpu.device().requireReach(owner.device());
      if (kind == MemoryKind.POOLED) {
        PoolSharing.allow(gpu, attribute(POOL, address));
      } else {
        gpu.map(owner);
      }
    }
  }

  @Override
  public ExportedAllocation export(DeviceAllocation allocation) {
    try {
      return switch (allocation.kind()) {
        case ALLOCATED -> LegacyIpc.export(gpu, allocation.base());
        case MAPPED -> MappedPieces.export(gpu, allocation.pieces());
        case POOLED ->
            PoolSharing.export(gpu, attribute(POOL, allocation.base()), allocation.base());
        case PRIVATE_MAPPED, PRIVATE_POOLED, HOST, MANAGED ->
            throw new MachineException(
                "kind=%s: %s"
                    .formatted(allocation.kind(), allocation.kind().obstacle().orElseThrow()));
      };
    } catch (MachineException e) {
      throw new MachineException(
          "GPU memory cannot be exported to other processes: gpu=%d, address=%d, kind=%s, reason=%s"
              .formatted(gpu.ordinal(), allocation.base(), allocation.kind(), e.getMessage()),
          e);
    }
  }

  @Override
  public OpenedAllocation open(ExportedAllocation exported) {
    return switch (exported.kind()) {
      case ALLOCATED -> LegacyIpc.open(gpu, exported.handle());
      case MAPPED -> MappedPieces.open(gpu, exported);
      case POOLED -> PoolSharing.open(gpu, exported);
      case PRIVATE_MAPPED, PRIVATE_POOLED, HOST, MANAGED ->
          throw new MachineException(
              "a rank lends memory that cannot be lent: kind=%s; run one version on all ranks"
                  .formatted(exported.kind()));
    };
  }
}
