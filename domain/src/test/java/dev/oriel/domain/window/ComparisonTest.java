package dev.oriel.domain.window;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ComparisonTest {

  /** Whether the comparison holds for a {@code word} below, equal to and above the value. */
  private static void holds(Comparison comparison, boolean below, boolean equal, boolean above) {
    for (long value : new long[] {1, 1L << 31, (1L << 63) - 1, 1L << 63, -2}) {
      assertThat(comparison.test(value - 1, value)).isEqualTo(below);
      assertThat(comparison.test(value, value)).isEqualTo(equal);
      assertThat(comparison.test(value + 1, value)).isEqualTo(above);
    }
  }

  @Test
  void ordersAreUnsigned() {
    holds(Comparison.EQ, false, true, false);
    holds(Comparison.NE, true, false, true);
    holds(Comparison.LT, true, false, false);
    holds(Comparison.LE, true, true, false);
    holds(Comparison.GT, false, false, true);
    holds(Comparison.GE, false, true, true);
    holds(Comparison.REACHED, false, true, true);
  }

  @Test
  void zeroIsBelowEverythingForOrdersThatDoNotWrap() {
    assertThat(Comparison.GE.test(0, -1)).isFalse();
    assertThat(Comparison.GT.test(0, -1)).isFalse();
    assertThat(Comparison.LT.test(0, -1)).isTrue();
    assertThat(Comparison.LE.test(0, -1)).isTrue();
  }

  @Test
  void reachedGoesOnOverTheWrap() {
    assertThat(Comparison.REACHED.test(0, -1)).isTrue();
    assertThat(Comparison.REACHED.test(-1, 0)).isFalse();
  }

  @Test
  void reachedHoldsForHalfTheCircleAhead() {
    long value = 5;
    assertThat(Comparison.REACHED.test(value + Long.MAX_VALUE, value)).isTrue();
    assertThat(Comparison.REACHED.test(value + Long.MIN_VALUE, value)).isFalse();
  }
}
