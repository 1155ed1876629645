package dev.oriel.domain.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class SumWaitTest {

  private static SumWait.Source source(int rank, long due, long most) {
    return new SumWait.Source(rank, due, most);
  }

  private static SumWait wait(Comparison comparison, SumWait.Source... sources) {
    return new SumWait(comparison, List.of(sources));
  }

  @Test
  void sourcesThatSignalOnlyTheExpectedCountAreSound() {
    for (Comparison sound : List.of(Comparison.GE, Comparison.REACHED, Comparison.EQ)) {
      assertThat(wait(sound, source(0, 1, 1), source(1, 2, 2)).unsound()).isEmpty();
    }
  }

  @Test
  void extraSignalsMayHideAMissingSource() {
    assertThat(wait(Comparison.GE, source(4, 1, 1), source(7, 1, 2)).unsound())
        .contains(
            "one source that signals more than is due may hide one that has not signalled: rank=7, due=1, most=2, silent=4;"
                + " await each source alone");
  }

  @Test
  void extraSignalsWithoutOtherExpectedSourcesAreSound() {
    assertThat(wait(Comparison.GE, source(0, 1, 9)).unsound()).isEmpty();
    assertThat(wait(Comparison.GE, source(0, 1, 9), source(1, 0, 0)).unsound()).isEmpty();
  }

  @Test
  void equalityMayBeOvershot() {
    assertThat(wait(Comparison.EQ, source(0, 1, 2)).unsound().orElseThrow())
        .startsWith("sum may be overshot: comparison=EQ;");
  }

  @Test
  void otherComparisonsDoNotImplyThatAllSignalled() {
    for (Comparison other : List.of(Comparison.NE, Comparison.LT, Comparison.LE, Comparison.GT)) {
      assertThat(wait(other, source(0, 1, 1)).unsound().orElseThrow())
          .startsWith("comparison does not say that all have signalled: comparison=" + other);
    }
  }

  @Test
  void theSumMayWrap() {
    long half = Long.MAX_VALUE / 2;
    assertThat(wait(Comparison.GE, source(0, half, half), source(1, half + 1, half + 1)).unsound())
        .isEmpty();
    assertThat(
            wait(Comparison.GE, source(0, half + 1, half + 1), source(1, half + 1, half + 1))
                .unsound()
                .orElseThrow())
        .startsWith("sum may wrap: sources=2;");
  }

  @Test
  void badSourcesAreRefused() {
    assertThatThrownBy(() -> source(3, -1, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("bad source: rank=3, due=-1, most=1; use 0 <= due <= most");
    assertThatThrownBy(() -> source(3, 2, 1)).hasMessageContaining("due=2, most=1");
    assertThatThrownBy(() -> wait(Comparison.GE, source(3, 1, 1), source(3, 1, 1)))
        .hasMessageStartingWith("source named twice");
  }
}
