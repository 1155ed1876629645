package dev.oriel.ibverbs.device;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.IOException;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs the named classes. Prints, for each, the passed and failed tests, and the number of skipped
 * ones by reason: an emulated processor pays for every line. Exit code 1 if a test failed or none
 * ran.
 */
public final class DeviceSuites implements TestExecutionListener {
  private static final double NANOS = 1e9;

  /** Without the listeners of the class path: one would print a line for each skipped test. */
  private static final LauncherConfig ALONE =
      LauncherConfig.builder().enableTestExecutionListenerAutoRegistration(false).build();

  private final PrintStream out = System.out;
  private int passed;
  private int failed;
  private final Map<String, Integer> skipped = new LinkedHashMap<>();
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
      LauncherFactory.create(ALONE).execute(request, suite);
      suite.out.printf(
          Locale.ROOT,
          "SUITE %s: passed=%d, failed=%d, skipped=%d, seconds=%.1f%n",
          name.substring(name.lastIndexOf('.') + 1),
          suite.passed,
          suite.failed,
          suite.skipped.values().stream().mapToInt(Integer::intValue).sum(),
          (System.nanoTime() - start) / NANOS);
      suite.skipped.forEach((reason, n) -> suite.out.println("SKIPPED " + n + ": " + reason));
      passed += suite.passed;
      failed += suite.failed + (suite.passed == 0 ? 1 : 0);
    }
    System.out.printf("TOTAL passed=%d, failed=%d, suites=%s%n", passed, failed, classes.length);
    System.exit(failed == 0 && passed > 0 ? 0 : 1);
  }

  @Override
  public void executionSkipped(TestIdentifier test, String reason) {
    if (test.isTest()) {
      skipped.merge(reason, 1, Integer::sum);
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
        case ABORTED -> skipped.merge(text(result), 1, Integer::sum);
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
