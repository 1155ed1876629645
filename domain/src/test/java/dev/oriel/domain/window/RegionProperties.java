package dev.oriel.domain.window;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class RegionProperties {

  @Provide
  Arbitrary<Region> regions() {
    return Combinators.combine(
            Arbitraries.of("v", "w"),
            Arbitraries.longs().between(0, 60),
            Arbitraries.longs().between(0, 8))
        .as(Region::new);
  }

  private static boolean shareAByte(Region a, Region b) {
    return a.window().equals(b.window())
        && LongStream.range(a.offset(), a.end())
            .anyMatch(at -> LongStream.range(b.offset(), b.end()).anyMatch(to -> to == at));
  }

  @Property(tries = 500)
  void overlappingIsSharingAByte(@ForAll("regions") Region a, @ForAll("regions") Region b) {
    assertThat(a.overlaps(b)).isEqualTo(shareAByte(a, b)).isEqualTo(b.overlaps(a));
  }

  @Property(tries = 500)
  void anOverlapIsFoundExactlyIfThereIsOne(
      @ForAll @Size(max = 7) List<@From("regions") Region> regions) {
    boolean slow = false;
    for (int i = 0; i < regions.size(); i++) {
      for (int j = i + 1; j < regions.size(); j++) {
        slow |= shareAByte(regions.get(i), regions.get(j));
      }
    }
    assertThat(Overlaps.firstIn(regions).isPresent()).isEqualTo(slow);
    Overlaps.firstIn(regions)
        .ifPresent(pair -> assertThat(shareAByte(pair.first(), pair.second())).isTrue());
  }

  @Property(tries = 200)
  void carvedPiecesAreAlignedAndDisjoint(
      @ForAll @Size(max = 9) List<@IntRange(max = 40) Integer> lengths,
      @ForAll @IntRange(max = 5) int power) {
    List<Region> pieces = new ArrayList<>();
    Carving left = Carving.of("w", 2_000);
    for (int length : lengths) {
      Carving.Taken taken = left.take(length, 1 << power);
      assertThat(taken.piece().offset() % (1 << power)).isZero();
      assertThat(taken.piece().offset() - left.free().offset()).isBetween(0L, (1L << power) - 1);
      assertThat(taken.piece().length()).isEqualTo(length);
      assertThat(taken.rest().free().offset()).isEqualTo(taken.piece().end());
      assertThat(taken.rest().free().end()).isEqualTo(2_000);
      pieces.add(taken.piece());
      left = taken.rest();
    }
    assertThat(Overlaps.firstIn(pieces)).isEmpty();
  }
}
