package dev.oriel.it.measure;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.List;
import java.util.Locale;

/**
 * Wall clock, the calling thread's own processor time and allocations, and the heap's peak since
 * the start.
 */
public final class ResourceMeter {
  private static final ThreadMXBean THREADS =
      ManagementFactory.getPlatformMXBean(ThreadMXBean.class);

  private final long wall;
  private final long cpu;
  private final long allocated;

  private ResourceMeter(long wall, long cpu, long allocated) {
    this.wall = wall;
    this.cpu = cpu;
    this.allocated = allocated;
  }

  /** The measurements; the peak includes uncollected garbage. */
  public record Reading(double wallSeconds, double cpuSeconds, long peakHeap, long allocated) {}

  public static ResourceMeter start() {
    heap().forEach(MemoryPoolMXBean::resetPeakUsage);
    return new ResourceMeter(
        System.nanoTime(),
        THREADS.getCurrentThreadCpuTime(),
        THREADS.getCurrentThreadAllocatedBytes());
  }

  public Reading read() {
    long end = System.nanoTime();
    long cpuEnd = THREADS.getCurrentThreadCpuTime();
    long peak = heap().stream().mapToLong(pool -> pool.getPeakUsage().getUsed()).sum();
    long made = THREADS.getCurrentThreadAllocatedBytes() - allocated;
    return new Reading((end - wall) / 1e9, (cpuEnd - cpu) / 1e9, peak, made);
  }

  private static List<MemoryPoolMXBean> heap() {
    return ManagementFactory.getMemoryPoolMXBeans().stream()
        .filter(pool -> pool.getType() == MemoryType.HEAP)
        .toList();
  }

  /** The facts that accompany every figure. */
  public static String machine() {
    return String.format(
        Locale.ROOT,
        "%s %s, cores=%d, load=%.1f, java=%s (%s), max_heap_mb=%d",
        System.getProperty("os.name"),
        System.getProperty("os.arch"),
        Runtime.getRuntime().availableProcessors(),
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
        Runtime.version(),
        System.getProperty("java.vm.name"),
        Runtime.getRuntime().maxMemory() >> 20);
  }
}
