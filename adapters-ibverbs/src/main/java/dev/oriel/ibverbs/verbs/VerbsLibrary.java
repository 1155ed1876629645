package dev.oriel.ibverbs.verbs;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.oriel.ibverbs.verbs.RdmaPresence.Absent;
import dev.oriel.ibverbs.verbs.RdmaPresence.Present;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.NoSuchElementException;

/**
 * Whether libibverbs is present.
 *
 * <p>Checked before any call is bound: its absence is then reported with the loader's own reason,
 * and not as a linkage error later. Of the calls that posting needs, the library does not export
 * {@code ibv_post_send} and {@code ibv_poll_cq}. They are inline functions of its header, which
 * call through function pointers inside {@code struct ibv_context}.
 */
final class VerbsLibrary {
  /** The library's name for the loader. */
  static final String NAME = "libibverbs.so.1";

  private static final int RTLD_NOW = 2;
  private static final FunctionDescriptor OPEN = FunctionDescriptor.of(ADDRESS, ADDRESS, JAVA_INT);
  private static final FunctionDescriptor ERROR = FunctionDescriptor.of(ADDRESS);
  private static final FunctionDescriptor CLOSE = FunctionDescriptor.of(JAVA_INT, ADDRESS);

  private VerbsLibrary() {}

  /** Loads the library and unloads it again; never throws. */
  static RdmaPresence probe() {
    return probe(NAME, "libibverbs1 or libibverbs", System.getProperty("os.name"));
  }

  /** Checks for a library; the remedy names its packages. */
  static RdmaPresence probe(String library, String packages, String system) {
    if (!system.equals("Linux")) {
      return new Absent(
          "system=" + system + ", library=" + library,
          "run on Linux, or use the simulator, which needs no RDMA");
    }
    try {
      return load(library, packages);
    } catch (IllegalCallerException e) {
      return new Absent(
          "library=" + library + ", native access=denied",
          "start java with --enable-native-access=dev.oriel.ibverbs or =ALL-UNNAMED");
    } catch (NoSuchElementException | UnsupportedOperationException | LinkageError e) {
      return new Absent(
          "library=" + library + ", linker=" + e.getMessage(),
          "run on a Java runtime with a native linker and a dynamic loader");
    }
  }

  @SuppressWarnings("restricted")
  private static RdmaPresence load(String library, String packages) {
    Linker linker = Linker.nativeLinker();
    // Bound before the first call: otherwise libraries that the JVM loads meanwhile could replace
    // the reason.
    MethodHandle open = bind(linker, "dlopen", OPEN);
    MethodHandle error = bind(linker, "dlerror", ERROR);
    MethodHandle close = bind(linker, "dlclose", CLOSE);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment name = arena.allocateFrom(library);
      MemorySegment handle = (MemorySegment) open.invokeExact(name, RTLD_NOW);
      if (handle.address() == 0) {
        MemorySegment said = (MemorySegment) error.invokeExact();
        String reason =
            said.address() == 0
                ? "the loader gave none"
                : said.reinterpret(Long.MAX_VALUE).getString(0);
        return new Absent(
            "library=" + library + ", loader=" + reason,
            "install rdma-core's libraries (package %s)".formatted(packages));
      }
      int closed = (int) close.invokeExact(handle);
      return closed == 0
          ? new Present(library)
          : new Absent(
              "library=" + library + ", dlclose=" + closed,
              "reinstall rdma-core's libraries (package %s)".formatted(packages));
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("call into the loader failed: library=" + library, e);
    }
  }

  @SuppressWarnings("restricted")
  private static MethodHandle bind(Linker linker, String name, FunctionDescriptor type) {
    return linker.downcallHandle(linker.defaultLookup().find(name).orElseThrow(), type);
  }
}
