package dev.oriel.cuda.driver;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.oriel.domain.topology.ClusterId;
import dev.oriel.domain.topology.FabricFacts;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;

/**
 * The library for the management of GPUs, which every driver brings along. It knows all GPUs of the
 * host, whatever the CUDA driver shows to this process. What it does not say is empty.
 *
 * <pre>
 * nvmlGpuFabricInfo_t  cluster 16 | status 4 | clique 4 | state 1
 * </pre>
 */
@SuppressWarnings("restricted")
public final class NvmlLibrary implements AutoCloseable {
  private static final String NAME = "libnvidia-ml.so.1";
  private static final int MAX_LINKS = 18;
  private static final int CAPABILITY_NVLINK = 2;
  private static final int FABRIC_BYTES = 32;
  private static final int FABRIC_COMPLETED = 3;

  private final SymbolLookup library;

  private NvmlLibrary(SymbolLookup library) {
    this.library = library;
  }

  /** Opens the library; empty if this host has none that works. */
  public static Optional<NvmlLibrary> open() {
    SymbolLookup found;
    try {
      found = SymbolLookup.libraryLookup(NAME, Arena.global());
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
    NvmlLibrary opened = new NvmlLibrary(found);
    return opened.call("nvmlInit_v2") == 0 ? Optional.of(opened) : Optional.empty();
  }

  /** A result code; not 0 if the library lacks the function. */
  private int call(String name, Object... arguments) {
    MemoryLayout[] types = new MemoryLayout[arguments.length];
    for (int i = 0; i < arguments.length; i++) {
      types[i] =
          switch (arguments[i]) {
            case Integer _ -> JAVA_INT;
            case Long _ -> JAVA_LONG;
            default -> ADDRESS;
          };
    }
    Optional<MemorySegment> function = library.find(name);
    if (function.isEmpty()) {
      return -1;
    }
    try {
      return (int)
          Linker.nativeLinker()
              .downcallHandle(function.get(), FunctionDescriptor.of(JAVA_INT, types))
              .invokeWithArguments(arguments);
    } catch (Throwable e) {
      throw ForeignFunctions.thrown(e);
    }
  }

  private Optional<Long> device(Arena arena, UUID uuid) {
    MemorySegment handle = arena.allocate(JAVA_LONG);
    int result = call("nvmlDeviceGetHandleByUUID", arena.allocateFrom("GPU-" + uuid), handle);
    return result == 0 ? Optional.of(handle.get(JAVA_LONG, 0)) : Optional.empty();
  }

  /** The GPU's number on this host, the same in every process. */
  public OptionalInt index(UUID gpu) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment index = arena.allocate(JAVA_INT);
      return device(arena, gpu).filter(d -> call("nvmlDeviceGetIndex", d, index) == 0).isPresent()
          ? OptionalInt.of(index.get(JAVA_INT, 0))
          : OptionalInt.empty();
    }
  }

  /** The number of its NVLinks that are active; empty if the library does not know the GPU. */
  public OptionalInt activeLinks(UUID gpu) {
    try (Arena arena = Arena.ofConfined()) {
      Optional<Long> device = device(arena, gpu);
      if (device.isEmpty()) {
        return OptionalInt.empty();
      }
      int active = 0;
      MemorySegment state = arena.allocate(JAVA_INT);
      for (int link = 0; link < MAX_LINKS; link++) {
        boolean known = call("nvmlDeviceGetNvLinkState", device.get(), link, state) == 0;
        active += known && state.get(JAVA_INT, 0) != 0 ? 1 : 0;
      }
      return OptionalInt.of(active);
    }
  }

  /** Whether NVLink joins two GPUs; empty if the library does not say. */
  public Optional<Boolean> joined(UUID one, UUID other) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment status = arena.allocate(JAVA_INT);
      Optional<Long> from = device(arena, one);
      Optional<Long> to = device(arena, other);
      if (from.isEmpty()
          || to.isEmpty()
          || call("nvmlDeviceGetP2PStatus", from.get(), to.get(), CAPABILITY_NVLINK, status) != 0) {
        return Optional.empty();
      }
      return Optional.of(status.get(JAVA_INT, 0) == 0);
    }
  }

  /** The NVLink fabric of several hosts that the GPU is on, if its driver says one. */
  public Optional<FabricFacts> fabric(UUID gpu) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment info = arena.allocate(FABRIC_BYTES, Long.BYTES);
      Optional<Long> device = device(arena, gpu);
      if (device.isEmpty()
          || call("nvmlDeviceGetGpuFabricInfo", device.get(), info) != 0
          || info.get(JAVA_BYTE, 24) == 0) {
        return Optional.empty();
      }
      ByteBuffer cluster = ByteBuffer.wrap(info.asSlice(0, 16).toArray(JAVA_BYTE));
      boolean completed =
          info.get(JAVA_BYTE, 24) == FABRIC_COMPLETED && info.get(JAVA_INT, 16) == 0;
      return Optional.of(
          new FabricFacts(
              new ClusterId(cluster.getLong(), cluster.getLong()),
              info.get(JAVA_INT, 20),
              completed));
    }
  }

  @Override
  public void close() {
    int ignored = call("nvmlShutdown");
  }
}
