package dev.oriel.ibverbs.verbs;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * A file on which a thread can sleep until it is notified: a pipe with a byte for each
 * notification.
 */
@SuppressWarnings("restricted")
final class FakePipe {
  private static final MethodHandle PIPE = call("pipe", ADDRESS);
  private static final MethodHandle READ = call("read", JAVA_INT, ADDRESS, JAVA_LONG);
  private static final MethodHandle WRITE = call("write", JAVA_INT, ADDRESS, JAVA_LONG);
  private static final MethodHandle CLOSE = call("close", JAVA_INT);

  private final int reading;
  private final int writing;

  FakePipe() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment ends = arena.allocate(JAVA_INT, 2);
      int failed = (int) PIPE.invokeExact(ends);
      if (failed != 0) {
        throw new AssertionError("no pipe: result=" + failed);
      }
      reading = ends.getAtIndex(JAVA_INT, 0);
      writing = ends.getAtIndex(JAVA_INT, 1);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  private static MethodHandle call(String name, MemoryLayout... arguments) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().find(name).orElseThrow(),
        FunctionDescriptor.of(JAVA_INT, arguments));
  }

  /** The file on which a thread sleeps. */
  int file() {
    return reading;
  }

  void signal() {
    move(WRITE, writing);
  }

  /** Consumes one notification. */
  void take() {
    move(READ, reading);
  }

  private static void move(MethodHandle call, int file) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment one = arena.allocate(1);
      int moved = (int) call.invokeExact(file, one, 1L);
      if (moved != 1) {
        throw new AssertionError("pipe broken: moved=" + moved);
      }
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  void close() {
    try {
      int ignored = (int) CLOSE.invokeExact(reading) + (int) CLOSE.invokeExact(writing);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }
}
