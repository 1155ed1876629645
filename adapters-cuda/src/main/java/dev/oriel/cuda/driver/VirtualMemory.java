package dev.oriel.cuda.driver;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Memory of one GPU that other processes can map, too; it is made and mapped in separate steps.
 * Bound as foreign functions: the driver refuses JCuda's form of the properties.
 *
 * <pre>
 * CUmemAllocationProp  type 4 | handle types 4 | location: type 4, id 4 | 8 | flags 8
 * CUmemAccessDesc      location: type 4, id 4 | flags 4
 * </pre>
 */
final class VirtualMemory implements SharedMemory {
  private static final int PINNED = 1;

  /** The type of a shareable handle that is an open file. */
  static final int POSIX_FILE = 1;

  private static final int DEVICE = 1;
  private static final int READ_AND_WRITE = 3;
  private static final int PROPERTY_BYTES = 32;
  private static final int ACCESS_BYTES = 12;

  private static final MethodHandle GRANULARITY =
      ForeignFunctions.bind("cuMemGetAllocationGranularity", ADDRESS, ADDRESS, JAVA_INT);
  private static final MethodHandle CREATE =
      ForeignFunctions.bind("cuMemCreate", ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG);
  private static final MethodHandle RELEASE = ForeignFunctions.bind("cuMemRelease", JAVA_LONG);
  private static final MethodHandle RESERVE =
      ForeignFunctions.bind(
          "cuMemAddressReserve", ADDRESS, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle FREE =
      ForeignFunctions.bind("cuMemAddressFree", JAVA_LONG, JAVA_LONG);
  private static final MethodHandle MAP =
      ForeignFunctions.bind("cuMemMap", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle UNMAP =
      ForeignFunctions.bind("cuMemUnmap", JAVA_LONG, JAVA_LONG);
  private static final MethodHandle SET_ACCESS =
      ForeignFunctions.bind("cuMemSetAccess", JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_LONG);
  private static final MethodHandle EXPORT =
      ForeignFunctions.bind(
          "cuMemExportToShareableHandle", ADDRESS, JAVA_LONG, JAVA_INT, JAVA_LONG);
  private static final MethodHandle IMPORT =
      ForeignFunctions.bind("cuMemImportFromShareableHandle", ADDRESS, JAVA_LONG, JAVA_INT);

  private final Gpu gpu;
  private final ResourceStack owned = new ResourceStack();
  private final long bytes;
  private final long handle;
  private final long address;

  private VirtualMemory(Gpu gpu, long bytes, Source source) {
    this.gpu = gpu;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment word = arena.allocate(JAVA_LONG);
      MemorySegment properties = properties(arena, gpu.ordinal());
      ForeignFunctions.call(gpu, "cuMemGetAllocationGranularity", GRANULARITY, word, properties, 0);
      long grain = word.get(JAVA_LONG, 0);
      long whole = Math.max(1, Math.ceilDiv(bytes, grain)) * grain;
      this.bytes = whole;
      source.into(word, whole, properties);
      long made = word.get(JAVA_LONG, 0);
      this.handle = made;
      owned.add(() -> release(gpu, made));
      this.address = reserve(gpu, whole, owned);
      map(gpu, address, whole, made, owned);
      allow(gpu, address, whole);
    } catch (RuntimeException e) {
      throw owned.closeSuppressing(e);
    }
  }

  static void release(Gpu gpu, long handle) {
    ForeignFunctions.giveBack(gpu, "cuMemRelease", RELEASE, handle);
  }

  /** Reserves addresses, which {@code owned} frees. */
  static long reserve(Gpu gpu, long bytes, ResourceStack owned) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment word = arena.allocate(JAVA_LONG);
      ForeignFunctions.call(
          gpu, "cuMemAddressReserve bytes=" + bytes, RESERVE, word, bytes, 0L, 0L, 0L);
      long reserved = word.get(JAVA_LONG, 0);
      owned.add(() -> ForeignFunctions.giveBack(gpu, "cuMemAddressFree", FREE, reserved, bytes));
      return reserved;
    }
  }

  /** Maps memory at reserved addresses; {@code owned} unmaps it. */
  static void map(Gpu gpu, long address, long bytes, long handle, ResourceStack owned) {
    ForeignFunctions.call(gpu, "cuMemMap bytes=" + bytes, MAP, address, bytes, 0L, handle, 0L);
    owned.add(() -> ForeignFunctions.giveBack(gpu, "cuMemUnmap", UNMAP, address, bytes));
  }

  /** Lets that GPU read and write mapped memory. */
  static void allow(Gpu gpu, long address, long bytes) {
    try (Arena arena = Arena.ofConfined()) {
      ForeignFunctions.call(
          gpu,
          "cuMemSetAccess bytes=" + bytes,
          SET_ACCESS,
          address,
          bytes,
          access(arena, gpu.ordinal()),
          1L);
    }
  }

  /** The description of a GPU's access to memory. */
  static MemorySegment access(Arena arena, int device) {
    MemorySegment access = arena.allocate(ACCESS_BYTES, Integer.BYTES);
    access.set(JAVA_INT, 0, DEVICE);
    access.set(JAVA_INT, 4, device);
    access.set(JAVA_INT, 8, READ_AND_WRITE);
    return access;
  }

  /** Provides the memory's handle. */
  private interface Source {
    void into(MemorySegment handle, long bytes, MemorySegment properties);
  }

  /** Allocates memory of that GPU. */
  static VirtualMemory create(Gpu gpu, long bytes) {
    return new VirtualMemory(
        gpu,
        bytes,
        (handle, whole, properties) ->
            ForeignFunctions.call(
                gpu, "cuMemCreate bytes=" + whole, CREATE, handle, whole, properties, 0L));
  }

  /** Maps memory that another process exported, for that GPU. */
  static VirtualMemory open(Gpu gpu, OpenDescriptor file, long bytes) {
    return new VirtualMemory(
        gpu, bytes, (handle, whole, properties) -> handle.set(JAVA_LONG, 0, imported(gpu, file)));
  }

  private static MemorySegment properties(Arena arena, int device) {
    MemorySegment properties = arena.allocate(PROPERTY_BYTES, Long.BYTES);
    properties.set(JAVA_INT, 0, PINNED);
    properties.set(JAVA_INT, 4, POSIX_FILE);
    properties.set(JAVA_INT, 8, DEVICE);
    properties.set(JAVA_INT, 12, device);
    return properties;
  }

  @Override
  public long address() {
    return address;
  }

  @Override
  public long bytes() {
    return bytes;
  }

  @Override
  public OpenDescriptor export() {
    return export(gpu, handle);
  }

  static OpenDescriptor export(Gpu gpu, long handle) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment file = arena.allocate(JAVA_INT);
      ForeignFunctions.call(
          gpu, "cuMemExportToShareableHandle", EXPORT, file, handle, POSIX_FILE, 0L);
      return new OpenDescriptor(file.get(JAVA_INT, 0));
    }
  }

  /** The handle of memory that another process exported. */
  static long imported(Gpu gpu, OpenDescriptor file) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment handle = arena.allocate(JAVA_LONG);
      ForeignFunctions.call(
          gpu, "cuMemImportFromShareableHandle", IMPORT, handle, (long) file.number(), POSIX_FILE);
      return handle.get(JAVA_LONG, 0);
    }
  }

  @Override
  public void close() {
    owned.close();
  }
}
