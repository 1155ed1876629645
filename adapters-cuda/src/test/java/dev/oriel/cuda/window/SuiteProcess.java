package dev.oriel.cuda.window;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.PrintWriter;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** One process of the tests among processes: runs the named suites as its own rank. */
public final class SuiteProcess {
  private SuiteProcess() {}

  public static void main(String[] suites) {
    long failed = 0;
    for (String suite : suites) {
      SummaryGeneratingListener summary = new SummaryGeneratingListener();
      LauncherFactory.create()
          .execute(
              LauncherDiscoveryRequestBuilder.request().selectors(selectClass(suite)).build(),
              summary);
      summary.getSummary().printFailuresTo(new PrintWriter(System.out, true, UTF_8), 30);
      long passed = summary.getSummary().getTestsSucceededCount();
      failed += summary.getSummary().getTotalFailureCount();
      System.out.printf(
          "suite=%s, passed=%d, failed=%d, skipped=%d%n",
          suite.substring(suite.lastIndexOf('.') + 1),
          passed,
          summary.getSummary().getTotalFailureCount(),
          summary.getSummary().getTestsAbortedCount());
    }
    System.exit(failed == 0 ? 0 : 1);
  }
}
