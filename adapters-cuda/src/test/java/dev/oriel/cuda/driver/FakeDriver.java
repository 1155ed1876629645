package dev.oriel.cuda.driver;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** Controls the driver of {@code src/test/c/driver.c}, in a process that has it for its driver. */
@SuppressWarnings("restricted")
public final class FakeDriver {
  /** The result of failing calls: the driver is out of memory. */
  public static final int NO_MEMORY = 2;

  private static final long ALWAYS = -1;
  private static final int TEXT = 4096;

  private FakeDriver() {}

  /** Makes one call fail, given its number from now on; none for 0. */
  public static void arm(long at) {
    Object ignored =
        call("fake_arm", FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_INT), at, NO_MEMORY);
  }

  /** Makes every call of that function fail with that result. */
  public static void refuse(String function, int result) {
    refuse(function, result, ALWAYS);
  }

  /** Makes the next calls of that function fail with that result. */
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

  /** Sets whether one GPU has atomics on the other's memory. */
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
   * Sets the number of co-resident blocks and clusters.
   *
   * @param blocks of a multiprocessor
   * @param clusters of the GPU, for any launch
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

  /** Sets the number of GPUs. */
  public static void gpus(int count) {
    Object ignored = call("fake_gpus", FunctionDescriptor.ofVoid(JAVA_INT), count);
  }

  /** Sets whether GPUs reach each other's memory. */
  public static void reachable(boolean yes) {
    Object ignored = call("fake_reachable", FunctionDescriptor.ofVoid(JAVA_INT), yes ? 1 : 0);
  }

  /** The number of calls since {@link #arm}. */
  public static long calls() {
    return (long) call("fake_calls", FunctionDescriptor.of(JAVA_LONG));
  }

  /** The number of kernels that ran since {@link #arm}. */
  public static long launched() {
    return (long) call("fake_launched", FunctionDescriptor.of(JAVA_LONG));
  }

  /** The number of objects that the driver made since {@link #arm}, freed or not. */
  public static long made() {
    return (long) call("fake_made", FunctionDescriptor.of(JAVA_LONG));
  }

  /** Attributes of the last launch, by their ids: {@code 6=1; 10=1; }. */
  public static String attributes() {
    return text("fake_attributes");
  }

  /** The function that failed; empty if none did. */
  public static String failed() {
    return text("fake_failed");
  }

  /** The objects that were not freed; forgets them. */
  public static String held() {
    return text("fake_held");
  }

  /** Uses after the end of an object, and double frees. */
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
