package dev.oriel.domain.measure;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;

/**
 * How long the calling thread was at work, for tests that something takes no more: by the clock,
 * others on the machine would be counted in.
 */
public final class ProcessorTime {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private ProcessorTime() {}

  /** What {@code work} takes. */
  public static Duration of(Runnable work) {
    long before = nanos();
    work.run();
    return Duration.ofNanos(nanos() - before);
  }

  /** Nanoseconds that the calling thread was at work so far. */
  public static long nanos() {
    return THREADS.getCurrentThreadCpuTime();
  }
}
