package dev.oriel.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.cuda.process.InstanceEnd;
import dev.oriel.cuda.ptx.LaneStatus;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class LaunchEndCauseTest {

  private static InstanceEnd end(Map<Integer, Long> statuses) {
    return LaunchEndCause.end(new TreeMap<>(statuses), " after %d words"::formatted).orElseThrow();
  }

  /**
   * Ranks that waited for the failed one time out as well, and come before it in the order of
   * ranks.
   */
  @Test
  void causesComeBeforeTheirConsequences() {
    assertThat(end(Map.of(0, LaneStatus.ABORTED, 1, LaneStatus.NO_ROW, 2, LaneStatus.TIMED_OUT)))
        .isEqualTo(
            new InstanceEnd(
                1,
                InstanceEnd.Kind.ABORTED,
                "a hook's table names a row that does not exist: rank=1"));
    assertThat(end(Map.of(0, LaneStatus.TIMED_OUT, 3, LaneStatus.QUEUE_FAILED)))
        .isEqualTo(
            new InstanceEnd(
                3, InstanceEnd.Kind.ABORTED, "an interface reported a failed request: rank=3"));
  }

  @Test
  void aWaitWithoutACauseTimedOut() {
    assertThat(end(Map.of(0, LaneStatus.RUNNING, 1, LaneStatus.TIMED_OUT, 2, LaneStatus.ABORTED)))
        .isEqualTo(
            new InstanceEnd(
                1, InstanceEnd.Kind.TIMED_OUT, "rank=1: a lane gave up waiting after 1 words"));
  }

  /** A failed check ends only its own rank. */
  @Test
  void ranksThatEndedAreNoFailure() {
    assertThat(
            LaunchEndCause.end(
                new TreeMap<>(Map.of(0, LaneStatus.RUNNING, 1, LaneStatus.FAILED + 7)), _ -> ""))
        .isEmpty();
  }
}
