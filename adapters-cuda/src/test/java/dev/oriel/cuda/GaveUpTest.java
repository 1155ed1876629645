package dev.oriel.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.cuda.process.End;
import dev.oriel.cuda.ptx.Status;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class GaveUpTest {

  private static End end(Map<Integer, Long> statuses) {
    return GaveUp.end(new TreeMap<>(statuses)).orElseThrow();
  }

  /**
   * Ranks that waited for the failed one time out as well, and come before it in the order of
   * ranks.
   */
  @Test
  void causesComeBeforeTheirConsequences() {
    assertThat(end(Map.of(0, Status.ABORTED, 1, Status.NO_ROW, 2, Status.TIMED_OUT)))
        .isEqualTo(
            new End(1, End.Kind.ABORTED, "a hook's table names a row that does not exist: rank=1"));
    assertThat(end(Map.of(0, Status.TIMED_OUT, 3, Status.QUEUE_FAILED)))
        .isEqualTo(new End(3, End.Kind.ABORTED, "an interface reported a failed request: rank=3"));
  }

  @Test
  void aWaitWithoutACauseTimedOut() {
    assertThat(end(Map.of(0, Status.RUNNING, 1, Status.TIMED_OUT, 2, Status.ABORTED)))
        .isEqualTo(new End(1, End.Kind.TIMED_OUT, "rank=1: a lane gave up waiting"));
  }

  /** A failed check ends only its own rank. */
  @Test
  void ranksThatEndedAreNoFailure() {
    assertThat(GaveUp.end(new TreeMap<>(Map.of(0, Status.RUNNING, 1, Status.FAILED + 7))))
        .isEmpty();
  }
}
