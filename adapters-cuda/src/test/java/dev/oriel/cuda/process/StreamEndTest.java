package dev.oriel.cuda.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.ports.MachineException;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** A clock that advances by a second with each poll of the stream. */
class StreamEndTest {
  private long seconds;
  private int asked;

  private boolean asked(long idleFrom, BooleanSupplier unwanted, long deadline) {
    return StreamEnd.asked(
        () -> seconds++ >= idleFrom,
        unwanted,
        () -> asked++,
        Duration.ofSeconds(deadline),
        () -> seconds * 1_000_000_000L);
  }

  @Test
  void workThatEndsInTimeIsNotAborted() {
    assertThat(asked(0, () -> true, 1)).isFalse();
    assertThat(asked(9, () -> false, 100)).isFalse();
    assertThat(asked).isZero();
  }

  /** A kernel that reads the abort word after its end has completed, but the word stays set. */
  @Test
  void workThatEndsAfterTheDeadlineWasAborted() {
    assertThat(asked(13, () -> false, 10)).isTrue();
    assertThat(asked).isEqualTo(1);
  }

  @Test
  void anInterruptedWaitAbortsBeforeTheDeadline() {
    assertThat(asked(5, () -> seconds > 2, 1000)).isTrue();
    assertThat(seconds).isLessThan(10);
    assertThat(asked).isEqualTo(1);
  }

  @Test
  void endlessWorkIsReportedWithBothCauses() {
    assertThatThrownBy(() -> asked(Long.MAX_VALUE, () -> false, 10))
        .isInstanceOf(MachineException.class)
        .hasMessageContaining("stream does not end: grace=PT5S")
        .hasMessageContaining("work of your own")
        .hasMessageContaining("the process must end");
    assertThat(asked).isEqualTo(1);
  }
}
