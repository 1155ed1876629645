package dev.oriel.cuda.driver;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.oriel.domain.registration.MemoryKind;
import dev.oriel.ports.MachineException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.List;

/**
 * Shares memory of {@code cuMemAlloc} between processes by the driver's legacy calls: the newer
 * ones share only memory that was made for sharing. Bound as foreign functions, since a handle is
 * passed by value.
 */
final class LegacyIpc {
  /** Bytes of a {@code CUipcMemHandle}. */
  static final int HANDLE_BYTES = 64;

  private static final int LAZY_PEER_ACCESS = 1;

  private static final MethodHandle GET =
      ForeignFunctions.bind("cuIpcGetMemHandle", ADDRESS, JAVA_LONG);
  private static final MethodHandle OPEN =
      ForeignFunctions.bind(
          "cuIpcOpenMemHandle_v2",
          ADDRESS,
          MemoryLayout.structLayout(MemoryLayout.sequenceLayout(HANDLE_BYTES, JAVA_BYTE)),
          JAVA_INT);
  private static final MethodHandle CLOSE = ForeignFunctions.bind("cuIpcCloseMemHandle", JAVA_LONG);

  private LegacyIpc() {}

  static ExportedAllocation export(Gpu gpu, long base) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment handle = arena.allocate(HANDLE_BYTES, Long.BYTES);
      ForeignFunctions.call(gpu, "cuIpcGetMemHandle", GET, handle, base);
      return new ExportedAllocation(MemoryKind.ALLOCATED, handle.toArray(JAVA_BYTE), List.of());
    }
  }

  static OpenedAllocation open(Gpu gpu, byte[] handle) {
    if (handle.length != HANDLE_BYTES) {
      throw new MachineException(
          "handle of another length: bytes=%d, needed=%d; run one version on all ranks"
              .formatted(handle.length, HANDLE_BYTES));
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment address = arena.allocate(JAVA_LONG);
      MemorySegment value = arena.allocate(HANDLE_BYTES, Long.BYTES);
      value.copyFrom(MemorySegment.ofArray(handle));
      ForeignFunctions.call(gpu, "cuIpcOpenMemHandle", OPEN, address, value, LAZY_PEER_ACCESS);
      long base = address.get(JAVA_LONG, 0);
      return ResourceStack.making(made -> {
        made.add(() -> ForeignFunctions.giveBack(gpu, "cuIpcCloseMemHandle", CLOSE, base));
        gpu.prepared();
        return new OpenedRange(base, DriverSharing.range(gpu, base).end() - base, made);
      });
    }
  }
}
