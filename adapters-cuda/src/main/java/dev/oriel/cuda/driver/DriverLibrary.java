package dev.oriel.cuda.driver;

import dev.oriel.ports.MachineException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/** Checks for a CUDA driver on this host, before any call that would fail without one. */
@SuppressWarnings("restricted")
public final class DriverLibrary {
  private static final String NAME = "libcuda.so.1";
  private static final int RTLD_NOW = 2;

  private static final MethodHandle VERSION =
      ForeignFunctions.bind("cuDriverGetVersion", ValueLayout.ADDRESS);

  private DriverLibrary() {}

  /** Why no usable driver is here; empty if there is one. */
  public static Optional<String> absence() {
    Optional<String> absence = notLoaded();
    return absence.isPresent() ? absence : tooOld();
  }

  /** Why the library cannot be loaded, as the loader reports it. */
  private static Optional<String> notLoaded() {
    Linker linker = Linker.nativeLinker();
    SymbolLookup lookup = linker.defaultLookup();
    Optional<MemorySegment> dlopen = lookup.find("dlopen");
    Optional<MemorySegment> dlerror = lookup.find("dlerror");
    if (dlopen.isEmpty() || dlerror.isEmpty()) {
      return Optional.of("this system has no dlopen");
    }
    try (Arena arena = Arena.ofConfined()) {
      MethodHandle open =
          linker.downcallHandle(
              dlopen.get(),
              FunctionDescriptor.of(
                  ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.JAVA_INT));
      MemorySegment handle = (MemorySegment) open.invokeExact(arena.allocateFrom(NAME), RTLD_NOW);
      if (handle.address() != 0) {
        return Optional.empty();
      }
      MethodHandle error =
          linker.downcallHandle(dlerror.get(), FunctionDescriptor.of(ValueLayout.ADDRESS));
      MemorySegment sentence = (MemorySegment) error.invokeExact();
      return Optional.of(sentence.reinterpret(4096).getString(0));
    } catch (Throwable e) {
      return Optional.of("the driver library could not be looked up: " + e);
    }
  }

  private static Optional<String> tooOld() {
    CudaVersion version;
    try {
      version = version();
    } catch (MachineException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
    return version.serves()
        ? Optional.empty()
        : Optional.of(
            "it is too old: version=%s, needed=%s".formatted(version, CudaVersion.NEEDED));
  }

  /**
   * The CUDA version of the driver; this call needs no initialisation.
   *
   * @throws MachineException if the driver does not report it
   */
  static CudaVersion version() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment number = arena.allocate(ValueLayout.JAVA_INT);
      int result = (int) VERSION.invokeExact(number);
      if (result != 0) {
        throw DriverRefusal.of("call=cuDriverGetVersion", Gpu.name(result));
      }
      return new CudaVersion(number.get(ValueLayout.JAVA_INT, 0));
    } catch (Throwable e) {
      throw ForeignFunctions.thrown(e);
    }
  }

  /** A function of the driver; empty if it has none of that name, or there is no driver. */
  static Optional<MemorySegment> find(String function) {
    try {
      return SymbolLookup.libraryLookup(NAME, Arena.global()).find(function);
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
