package dev.oriel.ports.contract;

import dev.oriel.domain.measure.Sampled;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/** Prints why a test did not run; without a visible reason a skip could be mistaken for a pass. */
public final class SkipReporter implements TestExecutionListener {

  @Override
  public void executionSkipped(TestIdentifier test, String reason) {
    // The runner reports the number of these.
    if (!reason.equals(Sampled.LEFT_OUT)) {
      print(test, reason);
    }
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    if (result.getStatus() == TestExecutionResult.Status.ABORTED) {
      print(test, result.getThrowable().map(String::valueOf).orElse("no reason given"));
    }
  }

  private static void print(TestIdentifier test, String reason) {
    System.out.println("skipped: " + test.getDisplayName() + ": " + reason);
  }
}
