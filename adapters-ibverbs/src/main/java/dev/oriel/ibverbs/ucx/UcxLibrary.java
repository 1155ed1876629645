package dev.oriel.ibverbs.ucx;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.oriel.ports.MachineException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.Map;

/**
 * The functions of libucp that are called.
 *
 * <p>Loaded once and never unloaded: the library starts a thread of its own.
 */
final class UcxLibrary {
  /** The library's name for the loader. */
  static final String NAME = "libucp.so.0";

  private static final String STATUS_LIBRARY = "libucs.so.0";
  private static final String REMEDY =
      "install UCX 1.13 or newer (package libucx0, or ucx), or use another machine";

  /**
   * Settings that the library reads when it is loaded. It must install no handlers of signals that
   * the JVM uses, and must not replace mmap and munmap in its process. A setting of the user's
   * remains as it is.
   */
  private static final Map<String, String> SETTINGS =
      Map.of("UCX_ERROR_SIGNALS", "", "UCX_MEM_MMAP_HOOK_MODE", "none");

  private static final int KEPT = 0;

  private final SymbolLookup symbols;
  final MethodHandle init;
  final MethodHandle cleanup;
  final MethodHandle createWorker;
  final MethodHandle destroyWorker;
  final MethodHandle address;
  final MethodHandle releaseAddress;
  final MethodHandle progress;
  final MethodHandle fence;
  final MethodHandle map;
  final MethodHandle unmap;
  final MethodHandle packKey;
  final MethodHandle releaseKey;
  final MethodHandle unpackKey;
  final MethodHandle destroyKey;
  final MethodHandle createEndpoint;
  final MethodHandle closeEndpoint;
  final MethodHandle put;
  final MethodHandle get;
  final MethodHandle atomic;
  final MethodHandle flush;
  final MethodHandle status;
  final MethodHandle free;
  private final MethodHandle words;

  private UcxLibrary(SymbolLookup symbols) {
    this.symbols = symbols;
    init = status("ucp_init_version", JAVA_INT, JAVA_INT, ADDRESS, ADDRESS, ADDRESS);
    cleanup = nothing("ucp_cleanup", ADDRESS);
    createWorker = status("ucp_worker_create", ADDRESS, ADDRESS, ADDRESS);
    destroyWorker = nothing("ucp_worker_destroy", ADDRESS);
    address = status("ucp_worker_get_address", ADDRESS, ADDRESS, ADDRESS);
    releaseAddress = nothing("ucp_worker_release_address", ADDRESS, ADDRESS);
    progress = bind("ucp_worker_progress", FunctionDescriptor.of(JAVA_INT, ADDRESS));
    fence = status("ucp_worker_fence", ADDRESS);
    map = status("ucp_mem_map", ADDRESS, ADDRESS, ADDRESS);
    unmap = status("ucp_mem_unmap", ADDRESS, ADDRESS);
    packKey = status("ucp_rkey_pack", ADDRESS, ADDRESS, ADDRESS, ADDRESS);
    releaseKey = nothing("ucp_rkey_buffer_release", ADDRESS);
    unpackKey = status("ucp_ep_rkey_unpack", ADDRESS, ADDRESS, ADDRESS);
    destroyKey = nothing("ucp_rkey_destroy", ADDRESS);
    createEndpoint = status("ucp_ep_create", ADDRESS, ADDRESS, ADDRESS);
    closeEndpoint = request("ucp_ep_close_nbx", ADDRESS, ADDRESS);
    put = request("ucp_put_nbx", ADDRESS, ADDRESS, JAVA_LONG, JAVA_LONG, ADDRESS, ADDRESS);
    get = request("ucp_get_nbx", ADDRESS, ADDRESS, JAVA_LONG, JAVA_LONG, ADDRESS, ADDRESS);
    atomic =
        request(
            "ucp_atomic_op_nbx",
            ADDRESS,
            JAVA_INT,
            ADDRESS,
            JAVA_LONG,
            JAVA_LONG,
            ADDRESS,
            ADDRESS);
    flush = request("ucp_ep_flush_nbx", ADDRESS, ADDRESS);
    status = status("ucp_request_check_status", ADDRESS);
    free = nothing("ucp_request_free", ADDRESS);
    words = bind("ucs_status_string", FunctionDescriptor.of(ADDRESS, JAVA_BYTE));
  }

  private static final class Loaded {
    static final UcxLibrary LIBRARY = open();

    @SuppressWarnings("restricted")
    private static UcxLibrary open() {
      SETTINGS.forEach(UcxLibrary::set);
      SymbolLookup calls = SymbolLookup.libraryLookup(NAME, Arena.global());
      return new UcxLibrary(calls.or(SymbolLookup.libraryLookup(STATUS_LIBRARY, Arena.global())));
    }
  }

  /**
   * The library of this machine.
   *
   * @throws MachineException if there is none, with the reason and the remedy
   */
  static UcxLibrary load() {
    if (!System.getProperty("os.name").equals("Linux")) {
      throw lacking("system=" + System.getProperty("os.name"));
    }
    try {
      return Loaded.LIBRARY;
    } catch (ExceptionInInitializerError e) {
      throw lacking(
          e.getCause() == null ? "reason=unknown" : "reason=" + e.getCause().getMessage());
    } catch (NoClassDefFoundError _) {
      throw lacking("reason=it could not be loaded before");
    }
  }

  private static MachineException lacking(String fact) {
    return MachineException.lacking(
        "no UCX here: library=%s, %s; %s".formatted(NAME, fact, REMEDY));
  }

  @SuppressWarnings("restricted")
  private static void set(String name, String value) {
    Linker linker = Linker.nativeLinker();
    MethodHandle set =
        linker.downcallHandle(
            linker.defaultLookup().findOrThrow("setenv"),
            FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_INT));
    try (Arena arena = Arena.ofConfined()) {
      int ignored =
          (int) set.invokeExact(arena.allocateFrom(name), arena.allocateFrom(value), KEPT);
    } catch (Throwable e) {
      throw broken("setenv", e);
    }
  }

  /** A status is a signed byte. */
  private MethodHandle status(String name, MemoryLayout... arguments) {
    return bind(name, FunctionDescriptor.of(JAVA_BYTE, arguments));
  }

  private MethodHandle request(String name, MemoryLayout... arguments) {
    return bind(name, FunctionDescriptor.of(JAVA_LONG, arguments));
  }

  private MethodHandle nothing(String name, MemoryLayout... arguments) {
    return bind(name, FunctionDescriptor.ofVoid(arguments));
  }

  @SuppressWarnings("restricted")
  private MethodHandle bind(String name, FunctionDescriptor type) {
    return Linker.nativeLinker()
        .downcallHandle(
            symbols
                .find(name)
                .orElseThrow(() -> new IllegalStateException("it lacks the symbol " + name)),
            type);
  }

  /** As {@code 1.13.1}. */
  @SuppressWarnings("restricted")
  String version() {
    try {
      MethodHandle call = bind("ucp_get_version_string", FunctionDescriptor.of(ADDRESS));
      MemorySegment said = (MemorySegment) call.invokeExact();
      return said.reinterpret(Long.MAX_VALUE).getString(0);
    } catch (Throwable e) {
      throw broken("ucp_get_version_string", e);
    }
  }

  /** The meaning of a status. */
  @SuppressWarnings("restricted")
  String words(int status) {
    try {
      MemorySegment said = (MemorySegment) words.invokeExact((byte) status);
      return said.reinterpret(Long.MAX_VALUE).getString(0);
    } catch (Throwable e) {
      throw broken("ucs_status_string", e);
    }
  }

  /**
   * Refuses a status other than success.
   *
   * @throws MachineException with that status in words
   */
  void check(String call, int status) {
    if (status != UcxStatus.OK) {
      throw new MachineException(
          "%s refused: status=%d (%s); see UCX's own output, with UCX_LOG_LEVEL=info"
              .formatted(call, status, words(status)));
    }
  }

  /** What to throw: a refusal as it is, or a failure that no call of a library can cause. */
  static RuntimeException broken(String call, Throwable why) {
    return why instanceof RuntimeException refused
        ? refused
        : new IllegalStateException("call failed: symbol=" + call, why);
  }
}
