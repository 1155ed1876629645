package dev.oriel.sim.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A set of fingerprints holds exactly what was added, wherever fingerprints crowd. */
class VisitedStatesTest {
  private static final int COUNT = 200_000;

  /** Where fingerprints crowd, each is looked for among all others, so fewer are added. */
  private static final int CROWDED = 40_000;

  private static final Comparator<Pair> BY_HALVES =
      Comparator.comparingLong(Pair::high).thenComparingLong(Pair::low);

  private record Pair(long high, long low) {}

  /** Which bits of both halves are drawn. */
  enum Shape {
    UNIFORM,
    FEW,
    ONE_HOME,
    FIRST_HOME,
    LAST_HOME,
    NEAR_THE_ENDS,
    FIRST_BITS;

    long of(long x) {
      return switch (this) {
        case UNIFORM -> x;
        case FEW -> x & 0xFF;
        case ONE_HOME -> (x & 0xFF) | 0x7700000000000000L;
        case FIRST_HOME -> x & 0x3;
        case LAST_HOME -> x | 0xFFFFFFFFFFFF0000L;
        case NEAR_THE_ENDS -> (x & 0xFF) - 0x80;
        case FIRST_BITS -> x & 0xFFF0000000000000L;
      };
    }
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void holdsExactlyWhatWasAdded(Shape shape) {
    Random random = new Random(1);
    // Not a hash set: these pairs crowd there, too.
    Set<Pair> wanted = new TreeSet<>(BY_HALVES);
    VisitedStates visited = new VisitedStates(Long.MAX_VALUE);
    int count = shape == Shape.UNIFORM ? COUNT : CROWDED;
    for (int i = 0; i < count; i++) {
      long low = shape.of(random.nextLong());
      // A high half that is not drawn alike makes many fingerprints of one home.
      long high = random.nextInt(4) == 0 ? random.nextInt(64) : shape.of(low * 31);
      boolean zero = low == 0 && high == 0;
      assertThat(visited.add(high, low)).isEqualTo(wanted.add(new Pair(high, zero ? 1 : low)));
    }
    assertThat(visited.count()).isEqualTo(wanted.size());
    for (Pair each : wanted) {
      assertThat(visited.add(each.high, each.low)).isFalse();
    }
    assertThat(visited.bytes()).isGreaterThanOrEqualTo(16L * wanted.size());
    assertThat(visited.footprint()).isGreaterThan(visited.bytes());
  }

  @Test
  void aFingerprintTakesAboutSixteenBytes() {
    Random random = new Random(2);
    VisitedStates visited = new VisitedStates(Long.MAX_VALUE);
    for (int i = 1; i <= 3_000_000; i++) {
      assertThat(visited.add(random.nextLong(), random.nextLong())).isTrue();
      if (i > 1_000_000 && i % 50_000 == 0) {
        assertThat((double) visited.bytes() / i).isBetween(17.0, 23.0);
        // What is copied while a segment grows is a small part of all.
        assertThat((double) visited.footprint() / i).isLessThan(24);
      }
    }
  }

  @Test
  void isFullAtItsLimit() {
    VisitedStates visited = new VisitedStates(2);
    assertThat(visited.add(1, 1)).isTrue();
    assertThat(visited.full()).isFalse();
    assertThat(visited.add(1, 1)).isFalse();
    assertThat(visited.full()).isFalse();
    assertThat(visited.add(1, 2)).isTrue();
    assertThat(visited.full()).isTrue();
  }
}
