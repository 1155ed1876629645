package dev.oriel.cuda.driver;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** Steers the driver of {@code src/test/c/driver.c}, in a process that has it for its driver. */
@SuppressWarnings("restricted")
public final class FakeDriver {
  /** What calls fail with: the driver is out of memory. */
  public static final int NO_MEMORY = 2;

  private static final long ALWAYS = -1;
  private static final int TEXT = 4096;

  private FakeDriver() {}

  /** The call of that number fails, the next one being the first; none for 0. */
  public static void arm(long at) {
    Object ignored =
        call("fake_arm", FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_INT), at, NO_MEMORY);
  }

  /** Every call of that function fails so. */
  public static void refuse(String function, int result) {
    refuse(function, result, ALWAYS);
  }

  /** The next calls of that function fail so. */
  public static void refuse(String function, int result, long times) {
    try (Arena arena = Arena.ofConfined()) {
      Object ignored =
          call(
              "fake_refuse",
              FunctionDescriptor.ofVoid(ADDRESS, JAVA_INT, JAVA_LONG),
              arena.allocateFrom(function),
              result,
              times);
    }
  }

  /** Whether one GPU changes words of the other atomically. */
  public static void atomics(int from, int to, boolean yes) {
    Object ignored =
        call(
            "fake_atomics",
            FunctionDescriptor.ofVoid(JAVA_INT, JAVA_INT, JAVA_INT),
            from,
            to,
            yes ? 1 : 0);
  }

  /**
   * How many blocks and clusters are on a GPU at once.
   *
   * @param blocks of a multiprocessor
   * @param clusters of the GPU, whatever the launch
   */
  public static void room(int blocks, int multiprocessors, int clusters) {
    Object ignored =
        call(
            "fake_room",
            FunctionDescriptor.ofVoid(JAVA_INT, JAVA_INT, JAVA_INT),
            blocks,
            multiprocessors,
            clusters);
  }

  /** How many GPUs there are. */
  public static void gpus(int count) {
    Object ignored = call("fake_gpus", FunctionDescriptor.ofVoid(JAVA_INT), count);
  }

  /** Whether GPUs reach each other's memory. */
  public static void reachable(boolean yes) {
    Object ignored = call("fake_reachable", FunctionDescriptor.ofVoid(JAVA_INT), yes ? 1 : 0);
  }

  /** How many calls there were since {@link #arm}. */
  public static long calls() {
    return (long) call("fake_calls", FunctionDescriptor.of(JAVA_LONG));
  }

  /** How many kernels ran since then. */
  public static long launched() {
    return (long) call("fake_launched", FunctionDescriptor.of(JAVA_LONG));
  }

  /** How many objects the driver made since then, given back or not. */
  public static long made() {
    return (long) call("fake_made", FunctionDescriptor.of(JAVA_LONG));
  }

  /** Attributes of the last launch, by their ids: {@code 6=1; 10=1; }. */
  public static String attributes() {
    return text("fake_attributes");
  }

  /** Which function failed; empty if none did. */
  public static String failed() {
    return text("fake_failed");
  }

  /** What was not given back, which is forgotten from now on. */
  public static String held() {
    return text("fake_held");
  }

  /** What was used behind its end, or given back twice. */
  public static String broken() {
    return text("fake_broken");
  }

  private static String text(String name) {
    MemorySegment text = (MemorySegment) call(name, FunctionDescriptor.of(ADDRESS));
    return text.reinterpret(TEXT).getString(0);
  }

  private static Object call(String name, FunctionDescriptor type, Object... arguments) {
    MethodHandle handle =
        Linker.nativeLinker().downcallHandle(DriverLibrary.find(name).orElseThrow(), type);
    try {
      return handle.invokeWithArguments(arguments);
    } catch (Throwable e) {
      throw new AssertionError("a downcall throws nothing", e);
    }
  }
}
