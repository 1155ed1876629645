package dev.oriel.domain.window;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class EpochProperties {

  @Property(tries = 2000)
  void aFlagIsNeverZeroAndSuccessiveFlagsAlternateParity(@ForAll("nearWraps") long value) {
    Epoch epoch = new Epoch(value);
    assertThat(epoch.nz32()).isNotZero();
    assertThat(epoch.nz32() & 1).isNotEqualTo(epoch.next().nz32() & 1);
  }

  @Property(tries = 2000)
  void fourSuccessiveFlagsDiffer(@ForAll("nearWraps") long value) {
    assertThat(
            new int[] {
              new Epoch(value).nz32(),
              new Epoch(value + 1).nz32(),
              new Epoch(value + 2).nz32(),
              new Epoch(value + 3).nz32()
            })
        .doesNotHaveDuplicates();
  }

  @Provide
  Arbitrary<Long> nearWraps() {
    Arbitrary<Long> near =
        Combinators.combine(
                Arbitraries.of(
                    0L, 1L << 31, (1L << 32) - 2, 1L << 32, 1L << 63, 77 * ((1L << 32) - 2)),
                Arbitraries.longs().between(-6, 6))
            .as(Long::sum);
    return Arbitraries.oneOf(near, Arbitraries.longs());
  }
}
