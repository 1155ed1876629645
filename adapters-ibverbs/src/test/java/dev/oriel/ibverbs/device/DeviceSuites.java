package dev.oriel.ibverbs.device;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.IOException;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.Locale;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs the named classes and prints, for each, what passed, failed and was skipped, and why; exit
 * code 1 if a test failed or none ran.
 */
public final class DeviceSuites implements TestExecutionListener {
  private static final double NANOS = 1e9;

  private final PrintStream out = System.out;
  private int passed;
  private int failed;
  private int skipped;
  private long started;

  private DeviceSuites() {}

  public static void main(String[] classes) throws IOException {
    int passed = 0;
    int failed = 0;
    for (String name : classes) {
      DeviceSuites suite = new DeviceSuites();
      long start = System.nanoTime();
      LauncherDiscoveryRequest request =
          LauncherDiscoveryRequestBuilder.request().selectors(selectClass(name)).build();
      LauncherFactory.create().execute(request, suite);
      suite.out.printf(
          Locale.ROOT,
          "SUITE %s: passed=%d, failed=%d, skipped=%d, seconds=%.1f%n",
          name.substring(name.lastIndexOf('.') + 1),
          suite.passed,
          suite.failed,
          suite.skipped,
          (System.nanoTime() - start) / NANOS);
      passed += suite.passed;
      failed += suite.failed + (suite.passed == 0 ? 1 : 0);
    }
    System.out.printf("TOTAL passed=%d, failed=%d, suites=%s%n", passed, failed, classes.length);
    System.exit(failed == 0 && passed > 0 ? 0 : 1);
  }

  @Override
  public void executionSkipped(TestIdentifier test, String reason) {
    if (test.isTest()) {
      skipped++;
      out.println("SKIPPED " + test.getDisplayName() + ": " + reason);
    }
  }

  @Override
  public void executionStarted(TestIdentifier test) {
    started = System.nanoTime();
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    boolean bad = result.getStatus() == TestExecutionResult.Status.FAILED;
    if (test.isTest() || bad) {
      switch (result.getStatus()) {
        case SUCCESSFUL -> {
          passed++;
          out.printf(
              Locale.ROOT,
              "ok %s, %.1f s%n",
              test.getDisplayName(),
              (System.nanoTime() - started) / NANOS);
        }
        case ABORTED -> {
          skipped++;
          out.println("SKIPPED " + test.getDisplayName() + ": " + text(result));
        }
        case FAILED -> {
          failed++;
          out.println("FAILED " + test.getDisplayName() + ": " + text(result));
          result
              .getThrowable()
              .ifPresent(e -> Arrays.stream(e.getStackTrace()).limit(12).forEach(out::println));
        }
      }
    }
  }

  private static String text(TestExecutionResult result) {
    return result.getThrowable().map(e -> e.toString()).orElse("no reason");
  }
}
