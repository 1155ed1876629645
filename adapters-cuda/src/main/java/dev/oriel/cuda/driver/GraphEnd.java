package dev.oriel.cuda.driver;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * Notices when a graph and every instance and clone of it are destroyed. The driver then calls a
 * function on a thread of its own, at any time, where no Java code may run. The function is
 * therefore libc's {@code sem_post}; the semaphore is polled later.
 */
@SuppressWarnings("restricted")
public final class GraphEnd {
  /**
   * At least the size of a {@code sem_t} of any libc; all zeros are a semaphore that was never
   * posted.
   */
  private static final long SEMAPHORE_BYTES = 64;

  private static final int NO_SYNCHRONISATION = 1;
  private static final int MOVE_REFERENCE = 1;

  /** One second in all, for a post that follows a release. */
  private static final int LOOKS = 1000;

  private static final long PAUSE = 1_000_000;

  private static final MemorySegment POST =
      Linker.nativeLinker().defaultLookup().findOrThrow("sem_post");
  private static final MethodHandle TRY_WAIT =
      Linker.nativeLinker()
          .downcallHandle(
              Linker.nativeLinker().defaultLookup().findOrThrow("sem_trywait"),
              FunctionDescriptor.of(JAVA_INT, ADDRESS));

  private static final MethodHandle CREATE =
      ForeignFunctions.bind("cuUserObjectCreate", ADDRESS, ADDRESS, ADDRESS, JAVA_INT, JAVA_INT);
  private static final MethodHandle RELEASE =
      ForeignFunctions.bind("cuUserObjectRelease", JAVA_LONG, JAVA_INT);
  private static final MethodHandle RETAIN =
      ForeignFunctions.bind("cuGraphRetainUserObject", JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT);

  /** Closed only once the driver has posted: until then it may post at any time. */
  private final Arena arena = Arena.ofShared();

  private final MemorySegment semaphore = arena.allocate(SEMAPHORE_BYTES, Long.BYTES);
  private boolean gone;

  /** Watches that graph, and every instance and clone of it. */
  GraphEnd(Gpu gpu, long graph) {
    try (Arena scratch = Arena.ofConfined()) {
      MemorySegment word = scratch.allocate(JAVA_LONG);
      try {
        ForeignFunctions.call(
            gpu, "cuUserObjectCreate", CREATE, word, semaphore, POST, 1, NO_SYNCHRONISATION);
      } catch (RuntimeException e) {
        arena.close();
        throw e;
      }
      long object = word.get(JAVA_LONG, 0);
      try {
        ForeignFunctions.call(
            gpu, "cuGraphRetainUserObject", RETAIN, graph, object, 1, MOVE_REFERENCE);
      } catch (RuntimeException e) {
        release(gpu, object, e);
        throw e;
      }
    }
  }

  /**
   * After a failed retain, releases the object. The driver posts then, too, at a time of its own.
   * If it never does, some bytes leak.
   */
  private void release(Gpu gpu, long object, RuntimeException cause) {
    try {
      ForeignFunctions.giveBack(gpu, "cuUserObjectRelease", RELEASE, object, 1);
    } catch (RuntimeException e) {
      cause.addSuppressed(e);
      return;
    }
    for (int look = 0; look < LOOKS && !reached(); look++) {
      LockSupport.parkNanos(PAUSE);
    }
  }

  /** Whether the graph can no longer be replayed by anyone. */
  public synchronized boolean reached() {
    if (!gone && posted()) {
      gone = true;
      arena.close();
    }
    return gone;
  }

  private boolean posted() {
    try {
      return (int) TRY_WAIT.invokeExact(semaphore) == 0;
    } catch (Throwable e) {
      throw new AssertionError("a downcall throws nothing", e);
    }
  }
}
