package dev.oriel.it.measure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.it.options.ExitCodes;
import org.junit.jupiter.api.Test;

/** A benchmark whose replays prepare anything ends as a violation, and names the program. */
final class PreparationTallyTest {
  private final PreparationTally steady = new PreparationTally();

  @Test
  void nothingPreparedIsFine() {
    steady.add("allgather", 11, 0);
    steady.add("barrier", 11, 0);
    assertThat(steady.line()).isEqualTo("steady   replays=22, preparations=0");
    assertThat(steady.exit()).isEqualTo(ExitCodes.FINE);
  }

  @Test
  void onePreparationIsAViolation() {
    steady.add("allgather", 11, 0);
    steady.add("barrier", 11, 2);
    steady.add("barrier", 11, 1);
    assertThat(steady.line())
        .isEqualTo(
            "steady   replays=33, preparations=3, by={barrier=3}; a replay is to load, allocate and make nothing");
    assertThat(steady.exit()).isEqualTo(ExitCodes.VIOLATION);
  }
}
