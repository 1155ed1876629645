package dev.oriel.cuda.driver;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * A kernel launch, laid out once in native memory: launching it again allocates nothing.
 *
 * <pre>
 * CUlaunchConfig     grid 3 x 4 | block 3 x 4 | shared 4 | pad 4 | stream 8 | attributes 8 | count 4
 * CUlaunchAttribute  id 4 | pad 4 | value 64
 * </pre>
 */
@SuppressWarnings("restricted")
public final class KernelLaunch implements StreamNode, AutoCloseable {
  private static final int CONFIG = 56;
  private static final int STREAM = 32;
  private static final int ATTRIBUTES = 40;
  private static final int ATTRIBUTE_COUNT = 48;
  private static final int ATTRIBUTE = 72;
  private static final int VALUE = 8;
  private static final int CLUSTER_DIMENSION = 4;
  private static final int PROGRAMMATIC_SERIALIZATION = 6;
  private static final int MEM_SYNC_DOMAIN = 10;
  private static final int REMOTE_DOMAIN = 1;

  private static final MethodHandle LAUNCH =
      ForeignFunctions.bind(
          "cuLaunchKernelEx",
          ValueLayout.ADDRESS,
          ValueLayout.ADDRESS,
          ValueLayout.ADDRESS,
          ValueLayout.ADDRESS);

  private static final MethodHandle CLUSTERS =
      ForeignFunctions.bind(
          "cuOccupancyMaxActiveClusters",
          ValueLayout.ADDRESS,
          ValueLayout.ADDRESS,
          ValueLayout.ADDRESS);

  private final Arena arena = Arena.ofShared();
  private final MemorySegment config = arena.allocate(CONFIG, Long.BYTES);
  private final MemorySegment function;
  private final MemorySegment parameters;

  /**
   * Lays out a launch.
   *
   * @param cluster blocks in a cluster, as the kernel declares too
   * @param parameters the words of each parameter
   * @param early whether the kernel may start before the previous one of its stream has ended; it
   *     must then wait for that one itself
   */
  public KernelLaunch(
      KernelFunction function,
      int blocks,
      int threads,
      int cluster,
      boolean early,
      long[]... parameters) {
    this.function = MemorySegment.ofAddress(function.address());
    this.parameters = arena.allocate(ValueLayout.ADDRESS, parameters.length);
    for (int i = 0; i < parameters.length; i++) {
      this.parameters.setAtIndex(
          ValueLayout.ADDRESS, i, arena.allocateFrom(ValueLayout.JAVA_LONG, parameters[i]));
    }
    int[] shape = {blocks, 1, 1, threads, 1, 1, 0};
    for (int i = 0; i < shape.length; i++) {
      config.setAtIndex(ValueLayout.JAVA_INT, i, shape[i]);
    }
    MemorySegment attributes = arena.allocate(3L * ATTRIBUTE, Long.BYTES);
    int count = 0;
    attribute(attributes, count++, MEM_SYNC_DOMAIN, REMOTE_DOMAIN);
    if (early) {
      attribute(attributes, count++, PROGRAMMATIC_SERIALIZATION, 1);
    }
    if (cluster > 1) {
      attribute(attributes, count++, CLUSTER_DIMENSION, cluster, 1, 1);
    }
    config.set(ValueLayout.ADDRESS, ATTRIBUTES, attributes);
    config.set(ValueLayout.JAVA_INT, ATTRIBUTE_COUNT, count);
  }

  private static void attribute(MemorySegment attributes, int index, int id, int... values) {
    long at = (long) index * ATTRIBUTE;
    attributes.set(ValueLayout.JAVA_INT, at, id);
    for (int i = 0; i < values.length; i++) {
      attributes.set(ValueLayout.JAVA_INT, at + VALUE + (long) i * Integer.BYTES, values[i]);
    }
  }

  /** Changes a parameter for later launches; the number of words must be the same. */
  public void set(int parameter, long... words) {
    MemorySegment at =
        parameters
            .getAtIndex(ValueLayout.ADDRESS, parameter)
            .reinterpret((long) words.length * Long.BYTES);
    for (int i = 0; i < words.length; i++) {
      at.setAtIndex(ValueLayout.JAVA_LONG, i, words[i]);
    }
  }

  /** The number of its clusters that are co-resident on the GPU. */
  int clusters() {
    try (Arena scratch = Arena.ofConfined()) {
      MemorySegment count = scratch.allocate(ValueLayout.JAVA_INT);
      int result;
      try {
        result = (int) CLUSTERS.invokeExact(count, function, config);
      } catch (Throwable e) {
        throw ForeignFunctions.thrown(e);
      }
      refuse(result, "cuOccupancyMaxActiveClusters");
      return count.get(ValueLayout.JAVA_INT, 0);
    }
  }

  void enqueue(long stream) {
    config.set(ValueLayout.JAVA_LONG, STREAM, stream);
    int result;
    try {
      result = (int) LAUNCH.invokeExact(config, function, parameters, MemorySegment.NULL);
    } catch (Throwable e) {
      throw ForeignFunctions.thrown(e);
    }
    refuse(result, "cuLaunchKernelEx");
  }

  private static void refuse(int result, String call) {
    if (result != 0) {
      throw DriverRefusal.of("call=" + call, Gpu.name(result));
    }
  }

  @Override
  public void close() {
    arena.close();
  }
}
