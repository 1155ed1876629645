package dev.oriel.cuda.driver;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.oriel.ports.MachineException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Shares memory of {@code cuMemAlloc} between processes by the driver's legacy calls: the newer
 * ones share only memory that was made for sharing. Bound as foreign functions, since a handle is
 * passed by value.
 */
final class LegacyIpc implements AllocationSharing {
  /** Bytes of a {@code CUipcMemHandle}. */
  static final int HANDLE_BYTES = 64;

  private static final int BUFFER_ID = 7;
  private static final int DEVICE_ORDINAL = 9;
  private static final int LEGACY_IPC_CAPABLE = 10;
  private static final int LAZY_PEER_ACCESS = 1;

  private static final MethodHandle RANGE =
      ForeignFunctions.bind("cuMemGetAddressRange_v2", ADDRESS, ADDRESS, JAVA_LONG);
  private static final MethodHandle ATTRIBUTE =
      ForeignFunctions.bind("cuPointerGetAttribute", ADDRESS, JAVA_INT, JAVA_LONG);
  private static final MethodHandle GET =
      ForeignFunctions.bind("cuIpcGetMemHandle", ADDRESS, JAVA_LONG);
  private static final MethodHandle OPEN =
      ForeignFunctions.bind(
          "cuIpcOpenMemHandle_v2",
          ADDRESS,
          MemoryLayout.structLayout(MemoryLayout.sequenceLayout(HANDLE_BYTES, JAVA_BYTE)),
          JAVA_INT);
  private static final MethodHandle CLOSE = ForeignFunctions.bind("cuIpcCloseMemHandle", JAVA_LONG);

  private final Gpu gpu;

  LegacyIpc(Gpu gpu) {
    this.gpu = gpu;
  }

  @Override
  public int gpu() {
    return gpu.ordinal();
  }

  @Override
  public DeviceAllocation find(long address) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment base = arena.allocate(JAVA_LONG);
      MemorySegment bytes = arena.allocate(JAVA_LONG);
      ForeignFunctions.call(
          gpu, "cuMemGetAddressRange address=" + address, RANGE, base, bytes, address);
      return new DeviceAllocation(
          (int) attribute(arena, DEVICE_ORDINAL, address),
          base.get(JAVA_LONG, 0),
          bytes.get(JAVA_LONG, 0),
          attribute(arena, BUFFER_ID, address),
          attribute(arena, LEGACY_IPC_CAPABLE, address) != 0);
    }
  }

  /** Reads a value of any width up to 8 bytes: bytes that the driver does not write stay 0. */
  private long attribute(Arena arena, int attribute, long address) {
    MemorySegment value = arena.allocate(JAVA_LONG);
    ForeignFunctions.call(
        gpu,
        "cuPointerGetAttribute attribute=%d, address=%d".formatted(attribute, address),
        ATTRIBUTE,
        value,
        attribute,
        address);
    return value.get(JAVA_LONG, 0);
  }

  @Override
  public void reach(int other) {
    if (other != gpu.ordinal()) {
      try (Gpu owner = CudaDriver.retain(other)) {
        gpu.device().requireReach(owner.device());
        gpu.map(owner);
      }
    }
  }

  @Override
  public byte[] lend(DeviceAllocation allocation) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment handle = arena.allocate(HANDLE_BYTES, Long.BYTES);
      ForeignFunctions.call(gpu, "cuIpcGetMemHandle", GET, handle, allocation.base());
      return handle.toArray(JAVA_BYTE);
    } catch (MachineException e) {
      throw new MachineException(
          "GPU lends nothing to other processes: gpu=%d, address=%d, reason=%s; run all ranks in one process, or let the program have memory of its own"
              .formatted(gpu.ordinal(), allocation.base(), e.getMessage()),
          e);
    }
  }

  @Override
  public long open(byte[] handle) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment address = arena.allocate(JAVA_LONG);
      MemorySegment value = arena.allocate(HANDLE_BYTES, Long.BYTES);
      value.copyFrom(MemorySegment.ofArray(handle));
      ForeignFunctions.call(gpu, "cuIpcOpenMemHandle", OPEN, address, value, LAZY_PEER_ACCESS);
      gpu.prepared();
      return address.get(JAVA_LONG, 0);
    }
  }

  @Override
  public void close(long base) {
    ForeignFunctions.giveBack(gpu, "cuIpcCloseMemHandle", CLOSE, base);
  }
}
