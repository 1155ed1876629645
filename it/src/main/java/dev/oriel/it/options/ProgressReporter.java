package dev.oriel.it.options;

import dev.oriel.it.terminal.Terminal;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Model.CommandSpec;

/**
 * While it is open, reports from time to time that an operation is in progress, and how to make it
 * shorter. The user then knows that nothing hangs.
 */
public final class ProgressReporter implements AutoCloseable {
  /** A person wonders sooner than a log file. */
  private static final Duration AT_A_TERMINAL = Duration.ofSeconds(2);

  private static final Duration IN_A_FILE = Duration.ofSeconds(30);

  private final CountDownLatch closed = new CountDownLatch(1);

  /**
   * Reports for the first time after two seconds at a terminal, or else after half a minute; then
   * at doubling intervals.
   */
  public ProgressReporter(CommandSpec spec, String what) {
    this(spec.commandLine().getErr(), what, first(Terminal.of(spec)));
  }

  static Duration first(Terminal terminal) {
    return terminal.person() ? AT_A_TERMINAL : IN_A_FILE;
  }

  ProgressReporter(PrintWriter err, String what, Duration first) {
    Thread.ofVirtual().name("patience").start(() -> say(err, what, first));
  }

  private void say(PrintWriter err, String what, Duration first) {
    try {
      Duration since = first;
      for (Duration next = first; !closed.await(next.toNanos(), TimeUnit.NANOSECONDS); ) {
        err.println("oriel: still under way after %d s: %s".formatted(since.toSeconds(), what));
        err.flush();
        next = since;
        since = since.plus(next);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    closed.countDown();
  }
}
