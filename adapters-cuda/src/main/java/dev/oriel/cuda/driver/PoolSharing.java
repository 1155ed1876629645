package dev.oriel.cuda.driver;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.oriel.domain.registration.MemoryKind;
import dev.oriel.ports.MachineException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.List;

/**
 * Shares memory of a stream-ordered pool: the pool by a file, and a pointer into it by data of the
 * driver. The allocation must be complete, so the application synchronizes its stream before.
 */
final class PoolSharing {
  /** Bytes of a {@code CUmemPoolPtrExportData}. */
  private static final int POINTER_BYTES = 64;

  private static final MethodHandle EXPORT =
      ForeignFunctions.bind(
          "cuMemPoolExportToShareableHandle", ADDRESS, JAVA_LONG, JAVA_INT, JAVA_LONG);
  private static final MethodHandle IMPORT =
      ForeignFunctions.bind(
          "cuMemPoolImportFromShareableHandle", ADDRESS, JAVA_LONG, JAVA_INT, JAVA_LONG);
  private static final MethodHandle EXPORT_POINTER =
      ForeignFunctions.bind("cuMemPoolExportPointer", ADDRESS, JAVA_LONG);
  private static final MethodHandle IMPORT_POINTER =
      ForeignFunctions.bind("cuMemPoolImportPointer", ADDRESS, JAVA_LONG, ADDRESS);
  private static final MethodHandle SET_ACCESS =
      ForeignFunctions.bind("cuMemPoolSetAccess", JAVA_LONG, ADDRESS, JAVA_LONG);
  private static final MethodHandle DESTROY = ForeignFunctions.bind("cuMemPoolDestroy", JAVA_LONG);

  private PoolSharing() {}

  static ExportedAllocation export(Gpu gpu, long pool, long address) {
    try (Arena arena = Arena.ofConfined()) {
      // The pool comes first: a pointer into a pool that was not exported is refused.
      MemorySegment file = arena.allocate(JAVA_INT);
      ForeignFunctions.call(
          gpu,
          "cuMemPoolExportToShareableHandle",
          EXPORT,
          file,
          pool,
          VirtualMemory.POSIX_FILE,
          0L);
      return ResourceStack.making(made -> {
        OpenDescriptor shared = made.add(new OpenDescriptor(file.get(JAVA_INT, 0)));
        MemorySegment pointer = arena.allocate(POINTER_BYTES, Long.BYTES);
        ForeignFunctions.call(
            gpu, "cuMemPoolExportPointer address=" + address, EXPORT_POINTER, pointer, address);
        return new ExportedAllocation(
            MemoryKind.POOLED, pointer.toArray(JAVA_BYTE), List.of(shared));
      });
    }
  }

  static OpenedAllocation open(Gpu gpu, ExportedAllocation exported) {
    if (exported.handle().length != POINTER_BYTES || exported.files().size() != 1) {
      throw new MachineException(
          "pointer of a pool cannot be read: bytes=%d, files=%d; run one version on all ranks"
              .formatted(exported.handle().length, exported.files().size()));
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment word = arena.allocate(JAVA_LONG);
      return ResourceStack.making(made -> {
        ForeignFunctions.call(
            gpu,
            "cuMemPoolImportFromShareableHandle",
            IMPORT,
            word,
            (long) exported.files().getFirst().number(),
            VirtualMemory.POSIX_FILE,
            0L);
        long pool = word.get(JAVA_LONG, 0);
        made.add(() -> ForeignFunctions.giveBack(gpu, "cuMemPoolDestroy", DESTROY, pool));
        allow(gpu, pool);
        MemorySegment pointer = arena.allocate(POINTER_BYTES, Long.BYTES);
        pointer.copyFrom(MemorySegment.ofArray(exported.handle()));
        ForeignFunctions.call(gpu, "cuMemPoolImportPointer", IMPORT_POINTER, word, pool, pointer);
        long base = word.get(JAVA_LONG, 0);
        made.add(() -> gpu.free(base));
        gpu.prepared();
        return new OpenedRange(base, DriverSharing.range(gpu, base).end() - base, made);
      });
    }
  }

  /** Gives a GPU access to the memory of a pool. */
  static void allow(Gpu gpu, long pool) {
    try (Arena arena = Arena.ofConfined()) {
      ForeignFunctions.call(
          gpu,
          "cuMemPoolSetAccess",
          SET_ACCESS,
          pool,
          VirtualMemory.access(arena, gpu.ordinal()),
          1L);
    }
  }
}
