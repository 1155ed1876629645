package dev.oriel.domain.measure;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;

/**
 * The processor time of the calling thread, for tests that bound the cost of an operation.
 * Wall-clock time would include other work of the machine.
 */
public final class ProcessorTime {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private ProcessorTime() {}

  /** The processor time of {@code work}. */
  public static Duration of(Runnable work) {
    long before = nanos();
    work.run();
    return Duration.ofNanos(nanos() - before);
  }

  /** The processor time of the calling thread so far, in nanoseconds. */
  public static long nanos() {
    return THREADS.getCurrentThreadCpuTime();
  }
}
