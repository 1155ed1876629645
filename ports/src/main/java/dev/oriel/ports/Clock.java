package dev.oriel.ports;

/**
 * Monotonic time: {@code System::nanoTime} on hosts, virtual in the simulator.
 *
 * <p>Scope: one clock serves every thread, and all of them see one time. Order: a reading that
 * happens after another is not smaller. Failure: none.
 */
@FunctionalInterface
public interface Clock {

  /**
   * Nanoseconds since an arbitrary origin, which may lie in the future; so subtract readings, never
   * compare them.
   */
  long nanos();
}
