package dev.oriel.domain.window;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class SumWaitProperties {

  @Provide
  Arbitrary<List<SumWait.Source>> sources() {
    Arbitrary<SumWait.Source> one =
        Combinators.combine(Arbitraries.longs().between(0, 2), Arbitraries.longs().between(0, 2))
            .as((due, more) -> new SumWait.Source(0, due, due + (more == 2 ? 1 : 0)));
    return one.list()
        .ofMinSize(1)
        .ofMaxSize(4)
        .map(list ->
            IntStream.range(0, list.size())
                .mapToObj(
                    rank -> new SumWait.Source(rank, list.get(rank).due(), list.get(rank).most()))
                .toList());
  }

  /** Tries every combination of contributions: does reaching the sum imply each source's due? */
  private static boolean sound(
      List<SumWait.Source> sources, long threshold, long sum, int from, boolean lacksSome) {
    if (from == sources.size()) {
      return sum < threshold || !lacksSome;
    }
    for (long given = 0; given <= sources.get(from).most(); given++) {
      boolean lacking = lacksSome || given < sources.get(from).due();
      if (!sound(sources, threshold, sum + given, from + 1, lacking)) {
        return false;
      }
    }
    return true;
  }

  @Property(tries = 500)
  void theLintIsExactForAtLeast(@ForAll("sources") List<SumWait.Source> sources) {
    long threshold = sources.stream().mapToLong(SumWait.Source::due).sum();
    assertThat(new SumWait(Comparison.GE, sources).unsound().isEmpty())
        .isEqualTo(sound(sources, threshold, 0, 0, false));
  }
}
