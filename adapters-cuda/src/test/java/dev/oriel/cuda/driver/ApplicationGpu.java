package dev.oriel.cuda.driver;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.oriel.domain.registration.MemoryKind;
import dev.oriel.ports.UserMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** Memory of each kind, allocated as applications do. */
public final class ApplicationGpu {
  private static final int PINNED = 1;
  private static final int DEVICE = 1;
  private static final int PROPERTY_BYTES = 32;
  private static final int POOL_BYTES = 88;
  private static final int MANAGED_GLOBAL = 1;

  /** The number of pieces of memory that is mapped. */
  private static final int PIECES = 3;

  private static final MethodHandle GRANULARITY =
      ForeignFunctions.bind("cuMemGetAllocationGranularity", ADDRESS, ADDRESS, JAVA_INT);
  private static final MethodHandle CREATE =
      ForeignFunctions.bind("cuMemCreate", ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG);
  private static final MethodHandle POOL_CREATE =
      ForeignFunctions.bind("cuMemPoolCreate", ADDRESS, ADDRESS);
  private static final MethodHandle POOL_DESTROY =
      ForeignFunctions.bind("cuMemPoolDestroy", JAVA_LONG);
  private static final MethodHandle FROM_POOL =
      ForeignFunctions.bind("cuMemAllocFromPoolAsync", ADDRESS, JAVA_LONG, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle SYNCHRONIZE =
      ForeignFunctions.bind("cuStreamSynchronize", JAVA_LONG);
  private static final MethodHandle HOST =
      ForeignFunctions.bind("cuMemHostAlloc", ADDRESS, JAVA_LONG, JAVA_INT);
  private static final MethodHandle FREE_HOST = ForeignFunctions.bind("cuMemFreeHost", JAVA_LONG);
  private static final MethodHandle MANAGED =
      ForeignFunctions.bind("cuMemAllocManaged", ADDRESS, JAVA_LONG, JAVA_INT);

  private ApplicationGpu() {}

  /** Allocates zeroed memory of that kind; {@code owned} frees it. */
  public static UserMemory allocate(Gpu gpu, MemoryKind kind, long bytes, ResourceStack owned) {
    UserMemory made =
        switch (kind) {
          case ALLOCATED -> {
            long address = gpu.allocate(bytes);
            owned.add(() -> gpu.free(address));
            yield new UserMemory(address, bytes);
          }
          case MAPPED -> mapped(gpu, bytes, VirtualMemory.POSIX_FILE, owned);
          case PRIVATE_MAPPED -> mapped(gpu, bytes, 0, owned);
          case POOLED -> pooled(gpu, bytes, VirtualMemory.POSIX_FILE, owned);
          case PRIVATE_POOLED -> pooled(gpu, bytes, 0, owned);
          case MANAGED -> {
            long address = word(gpu, "cuMemAllocManaged", MANAGED, bytes, MANAGED_GLOBAL);
            owned.add(() -> gpu.free(address));
            yield new UserMemory(address, bytes);
          }
          case HOST -> {
            long address = word(gpu, "cuMemHostAlloc", HOST, bytes, 0);
            owned.add(() -> ForeignFunctions.giveBack(gpu, "cuMemFreeHost", FREE_HOST, address));
            yield new UserMemory(address, bytes);
          }
        };
    if (kind != MemoryKind.HOST) {
      gpu.clear(made.address(), bytes);
    }
    return made;
  }

  private static long word(Gpu gpu, String what, MethodHandle function, long bytes, int flags) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment word = arena.allocate(JAVA_LONG);
      ForeignFunctions.call(gpu, what, function, word, bytes, flags);
      return word.get(JAVA_LONG, 0);
    }
  }

  /** Begins in the first of several pieces, as allocators with segments that grow give memory. */
  private static UserMemory mapped(Gpu gpu, long bytes, int handles, ResourceStack owned) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment word = arena.allocate(JAVA_LONG);
      MemorySegment properties = arena.allocate(PROPERTY_BYTES, Long.BYTES);
      properties.set(JAVA_INT, 0, PINNED);
      properties.set(JAVA_INT, 4, handles);
      properties.set(JAVA_INT, 8, DEVICE);
      properties.set(JAVA_INT, 12, gpu.ordinal());
      ForeignFunctions.call(gpu, "cuMemGetAllocationGranularity", GRANULARITY, word, properties, 0);
      long grain = word.get(JAVA_LONG, 0);
      long piece = Math.ceilDiv(Math.ceilDiv(bytes, PIECES - 1), grain) * grain;
      long base = VirtualMemory.reserve(gpu, PIECES * piece, owned);
      for (int i = 0; i < PIECES; i++) {
        try (ResourceStack created = new ResourceStack()) {
          ForeignFunctions.call(gpu, "cuMemCreate", CREATE, word, piece, properties, 0L);
          long handle = word.get(JAVA_LONG, 0);
          created.add(() -> VirtualMemory.release(gpu, handle));
          VirtualMemory.map(gpu, base + i * piece, piece, handle, owned);
        }
      }
      VirtualMemory.allow(gpu, base, PIECES * piece);
      // The end of a piece is inside, if the memory is long enough.
      return new UserMemory(base + piece - Math.min(piece, bytes / 2 & -16), bytes);
    }
  }

  private static UserMemory pooled(Gpu gpu, long bytes, int handles, ResourceStack owned) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment word = arena.allocate(JAVA_LONG);
      MemorySegment properties = arena.allocate(POOL_BYTES, Long.BYTES);
      properties.set(JAVA_INT, 0, PINNED);
      properties.set(JAVA_INT, 4, handles);
      properties.set(JAVA_INT, 8, DEVICE);
      properties.set(JAVA_INT, 12, gpu.ordinal());
      ForeignFunctions.call(gpu, "cuMemPoolCreate", POOL_CREATE, word, properties);
      long pool = word.get(JAVA_LONG, 0);
      owned.add(() -> ForeignFunctions.giveBack(gpu, "cuMemPoolDestroy", POOL_DESTROY, pool));
      ForeignFunctions.call(gpu, "cuMemAllocFromPoolAsync", FROM_POOL, word, bytes, pool, 0L);
      long address = word.get(JAVA_LONG, 0);
      owned.add(() -> gpu.free(address));
      ForeignFunctions.call(gpu, "cuStreamSynchronize", SYNCHRONIZE, 0L);
      return new UserMemory(address, bytes);
    }
  }
}
