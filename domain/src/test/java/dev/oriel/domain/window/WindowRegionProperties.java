package dev.oriel.domain.window;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class WindowRegionProperties {

  @Provide
  Arbitrary<WindowRegion> regions() {
    return Combinators.combine(
            Arbitraries.of("v", "w"),
            Arbitraries.longs().between(0, 60),
            Arbitraries.longs().between(0, 8))
        .as(WindowRegion::new);
  }

  private static boolean shareAByte(WindowRegion a, WindowRegion b) {
    return a.window().equals(b.window())
        && LongStream.range(a.offset(), a.end())
            .anyMatch(at -> LongStream.range(b.offset(), b.end()).anyMatch(to -> to == at));
  }

  @Property(tries = 500)
  void overlappingIsSharingAByte(
      @ForAll("regions") WindowRegion a, @ForAll("regions") WindowRegion b) {
    assertThat(a.overlaps(b)).isEqualTo(shareAByte(a, b)).isEqualTo(b.overlaps(a));
  }
}
