package dev.oriel.cuda.driver;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/** Says whether this host has a CUDA driver, before anything is touched that would fail without. */
public final class DriverLibrary {
  static final String NAME = "libcuda.so.1";

  private static final int RTLD_NOW = 2;

  private DriverLibrary() {}

  /** Why there is no driver here, in the loader's own words; empty if there is one. */
  @SuppressWarnings("restricted")
  public static Optional<String> absence() {
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
}
