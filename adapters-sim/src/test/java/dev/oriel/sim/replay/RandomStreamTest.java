package dev.oriel.sim.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RandomStreamTest {

  /** The first words of the published SplitMix64 for seed 1234567. */
  @Test
  void isThePublishedGenerator() {
    RandomStream draws = RandomStream.of(1234567);
    assertThat(Long.toUnsignedString(draws.next())).isEqualTo("6457827717110365317");
    assertThat(Long.toUnsignedString(draws.next())).isEqualTo("3203168211198807973");
    assertThat(Long.toUnsignedString(draws.next())).isEqualTo("9817491932198370423");
  }

  @Test
  void agreesWithTheJdkOnPlainWords() {
    SplittableRandom jdk = new SplittableRandom(99);
    RandomStream draws = RandomStream.of(99);
    for (int i = 0; i < 1000; i++) {
      assertThat(draws.next()).isEqualTo(jdk.nextLong());
    }
  }

  @Test
  void drawsEveryNumberEquallyOften() {
    for (int bound : new int[] {1, 2, 3, 7, 10}) {
      int[] seen = new int[bound];
      RandomStream draws = RandomStream.of(5);
      for (int i = 0; i < 10_000 * bound; i++) {
        seen[draws.below(bound)]++;
      }
      for (int count : seen) {
        assertThat(count).isBetween(9_600, 10_400);
      }
    }
    assertThatThrownBy(() -> RandomStream.of(1).below(0)).hasMessageContaining("bound=0");
  }

  @Test
  void streamsOfOneSeedDiffer() {
    Set<Long> first = new HashSet<>();
    for (int i = 0; i < 10_000; i++) {
      first.add(RandomStream.of(7, i).next());
    }
    assertThat(first).hasSize(10_000);
    assertThat(RandomStream.of(7, 3).next()).isEqualTo(RandomStream.of(7, 3).next());
  }

  @Test
  void aSplitStreamIsIndependent() {
    RandomStream parent = RandomStream.of(11);
    RandomStream child = parent.split();
    Set<Long> words = new HashSet<>();
    for (int i = 0; i < 1000; i++) {
      words.add(parent.next());
      words.add(child.next());
    }
    assertThat(words).hasSize(2000);
  }
}
