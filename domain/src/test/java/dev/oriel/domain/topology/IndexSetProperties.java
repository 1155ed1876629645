package dev.oriel.domain.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class IndexSetProperties {

  @Property(tries = 400)
  void answersLikeASortedSet(@ForAll("values") int[] values) {
    TreeSet<Integer> slow =
        Arrays.stream(values).boxed().collect(Collectors.toCollection(TreeSet::new));
    IndexSet set = IndexSet.of(values);

    assertThat(set.size()).isEqualTo(slow.size());
    assertThat(set.stream().boxed()).containsExactlyElementsOf(slow);
    for (int value = -2; value < 45; value++) {
      assertThat(set.contains(value)).isEqualTo(slow.contains(value));
      assertThat(set.countBelow(value)).isEqualTo(slow.headSet(value).size());
    }
    int position = 0;
    for (int member : slow) {
      assertThat(set.get(position++)).isEqualTo(member);
    }
    IndexSet again = IndexSet.of(slow.descendingSet().stream().mapToInt(i -> i).toArray());
    assertThat(again).isEqualTo(set).hasSameHashCodeAs(set);
  }

  @Provide
  Arbitrary<int[]> values() {
    Arbitrary<Integer> small = Arbitraries.integers().between(0, 40);
    Arbitrary<int[]> any = small.array(int[].class).ofMaxSize(10);
    Arbitrary<int[]> even =
        Combinators.combine(
                Arbitraries.integers().between(0, 9),
                Arbitraries.integers().between(1, 5),
                Arbitraries.integers().between(0, 6))
            .as((from, step, size) -> IntStream.range(0, size).map(i -> from + i * step).toArray());
    return Arbitraries.oneOf(any, even);
  }
}
