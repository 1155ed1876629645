package dev.oriel.cuda.driver;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.oriel.ports.MachineException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The Linux calls by which processes pass each other open files. Java's sockets carry bytes only,
 * and its files have names.
 */
@SuppressWarnings("ImmutableEnumChecker")
enum Libc {
  SOCKET("socket", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT),
  BIND("bind", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT),
  LISTEN("listen", JAVA_INT, JAVA_INT, JAVA_INT),
  ACCEPT("accept4", JAVA_INT, JAVA_INT, ADDRESS, ADDRESS, JAVA_INT),
  CONNECT("connect", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT),
  SEND("sendmsg", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT),
  RECEIVE("recvmsg", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT),
  GET_OPTION("getsockopt", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS),
  POLL("poll", JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT),
  USER("geteuid", JAVA_INT),
  MEMORY_FILE("memfd_create", JAVA_INT, ADDRESS, JAVA_INT),
  DUPLICATE("dup", JAVA_INT, JAVA_INT),
  CLOSE("close", JAVA_INT, JAVA_INT);

  static final int EINTR = 4;
  static final int EAGAIN = 11;
  static final int EMFILE = 24;
  static final int EPIPE = 32;
  static final int ECONNRESET = 104;

  private static final long ERRNO =
      Linker.Option.captureStateLayout().byteOffset(PathElement.groupElement("errno"));

  private final String symbol;
  private final FunctionDescriptor type;
  private volatile @Nullable MethodHandle bound;

  Libc(String symbol, MemoryLayout result, MemoryLayout... arguments) {
    this.symbol = symbol;
    this.type = FunctionDescriptor.of(result, arguments);
  }

  /**
   * The call's result, or the negated error number. A call that a signal interrupts is repeated.
   */
  long call(Object... arguments) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(Linker.Option.captureStateLayout());
      List<Object> all = new ArrayList<>();
      all.add(state);
      all.addAll(List.of(arguments));
      MethodHandle handle = handle();
      while (true) {
        long value = ((Number) handle.invokeWithArguments(all)).longValue();
        int errno = state.get(JAVA_INT, ERRNO);
        if (value >= 0) {
          return value;
        }
        if (errno != EINTR || this == CLOSE) {
          return -errno;
        }
      }
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("call failed: symbol=" + symbol, e);
    }
  }

  /**
   * The call's result, for a call whose errors have no remedy but the one in the message.
   *
   * @throws MachineException if the call fails
   */
  int demand(String facts, Object... arguments) {
    long value = call(arguments);
    if (value < 0) {
      throw refused(facts, (int) -value);
    }
    return (int) value;
  }

  MachineException refused(String facts, int errno) {
    String message =
        "system refused: call=%s, %s, errno=%d; %s"
            .formatted(
                symbol,
                facts,
                errno,
                errno == EMFILE
                    ? "raise the limit on open files (ulimit -n)"
                    : "see errno(3), and that all ranks run on one host in one network namespace");
    return errno == EMFILE ? MachineException.lacking(message) : new MachineException(message);
  }

  @SuppressWarnings("restricted")
  private MethodHandle handle() {
    MethodHandle handle = bound;
    if (handle == null) {
      Linker linker = Linker.nativeLinker();
      handle =
          linker.downcallHandle(
              linker
                  .defaultLookup()
                  .find(symbol)
                  .orElseThrow(() ->
                      MachineException.lacking(
                          "this system lacks a call: symbol=%s; run one process per GPU on Linux"
                              .formatted(symbol))),
              type,
              Linker.Option.captureCallState("errno"));
      bound = handle;
    }
    return handle;
  }
}
