package dev.oriel.ibverbs.verbs;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.oriel.ports.MachineException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The calls of the control path. Each is bound at its first use: a symbol that an old library lacks
 * is reported by name, and only to a caller that needs it.
 */
final class ControlPathCalls {
  private static final long ERRNO =
      Linker.Option.captureStateLayout().byteOffset(PathElement.groupElement("errno"));
  private static final short POLLIN = 1;
  private static final Duration LONGEST = Duration.ofMillis(Integer.MAX_VALUE);

  private final SymbolLookup symbols;
  private final String name;
  private final Map<VerbsFunction, MethodHandle> bound = new EnumMap<>(VerbsFunction.class);

  /** Binds calls to any library with those symbols. */
  ControlPathCalls(SymbolLookup symbols, String name) {
    this.symbols = symbols;
    this.name = name;
  }

  /**
   * The library of this machine.
   *
   * @throws MachineException if there is none, with the reason and the remedy
   */
  @SuppressWarnings("restricted")
  static ControlPathCalls load() {
    if (VerbsLibrary.probe() instanceof RdmaPresence.Absent absent) {
      throw MachineException.lacking(absent.sentence());
    }
    return new ControlPathCalls(
        SymbolLookup.libraryLookup(VerbsLibrary.NAME, Arena.global()), VerbsLibrary.NAME);
  }

  /** The result of a call, and its error number. */
  record Answer(Object value, int errno) {
    MemorySegment pointer() {
      return (MemorySegment) value;
    }

    int number() {
      return (int) value;
    }
  }

  /** Calls a function; the result of a void function is ignored. */
  Answer call(VerbsFunction call, Object... arguments) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(Linker.Option.captureStateLayout());
      List<Object> all = new ArrayList<>();
      all.add(state);
      all.addAll(List.of(arguments));
      Object value = handle(call).invokeWithArguments(all);
      return new Answer(value == null ? 0 : value, state.get(JAVA_INT, ERRNO));
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("call failed: symbol=" + call.symbol(), e);
    }
  }

  /**
   * Calls a function that returns a pointer.
   *
   * @throws MachineException if the pointer is null, with {@code facts} and the remedy
   */
  MemorySegment make(VerbsFunction call, String facts, Object... arguments) {
    Answer answer = call(call, arguments);
    if (answer.pointer().address() == 0) {
      throw refusal(call, answer.errno(), facts);
    }
    return answer.pointer();
  }

  /** Calls a function that returns 0 or an error number. */
  void check(VerbsFunction call, String facts, Object... arguments) {
    int error = call(call, arguments).number();
    if (error != 0) {
      throw refusal(call, error, facts);
    }
  }

  static MachineException refusal(VerbsFunction call, int error, String facts) {
    int errno = Math.abs(error);
    String message =
        "%s refused: %s, error=%s; %s"
            .formatted(call.symbol(), facts, Errno.name(errno), Errno.remedy(errno));
    return switch (errno) {
      case Errno.EPERM, Errno.EACCES, Errno.ENOMEM, Errno.EMFILE, Errno.ENODEV ->
          MachineException.lacking(message);
      default -> new MachineException(message);
    };
  }

  private synchronized MethodHandle handle(VerbsFunction call) {
    return bound.computeIfAbsent(call, this::bind);
  }

  @SuppressWarnings("restricted")
  private MethodHandle bind(VerbsFunction call) {
    MemorySegment symbol =
        symbols
            .find(call.symbol())
            .orElseThrow(() ->
                MachineException.lacking(
                    "library lacks a symbol: library=%s, symbol=%s; install rdma-core 34 or newer"
                        .formatted(name, call.symbol())));
    return Linker.nativeLinker()
        .downcallHandle(symbol, call.type(), Linker.Option.captureCallState("errno"));
  }

  /** As many milliseconds as a call accepts; the duration may be longer than that. */
  private static int millis(Duration time) {
    return time.isNegative()
        ? 0
        : time.compareTo(LONGEST) < 0 ? (int) time.toMillis() : Integer.MAX_VALUE;
  }

  /** Whether the file becomes readable within the time. */
  @SuppressWarnings("restricted")
  static boolean readable(int file, Duration time) {
    int millis = millis(time);
    try (Arena arena = Arena.ofConfined()) {
      Linker linker = Linker.nativeLinker();
      MethodHandle poll =
          linker.downcallHandle(
              linker.defaultLookup().find("poll").orElseThrow(),
              FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
      MemorySegment wanted = arena.allocate(8, 4);
      wanted.set(JAVA_INT, 0, file);
      wanted.set(JAVA_SHORT, 4, POLLIN);
      return (int) poll.invokeExact(wanted, 1L, millis) > 0;
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("call failed: symbol=poll", e);
    }
  }
}
