package dev.oriel.domain.binding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.LaneTrafficSink.Span;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class SpanUnionProperties {

  @Provide
  Arbitrary<Span> spans() {
    return Combinators.combine(
            Arbitraries.longs().between(0, 60), Arbitraries.longs().between(0, 6))
        .as((low, more) -> new Span(low, low + more));
  }

  @Provide
  Arbitrary<List<Span>> manySpans() {
    return spans().list().ofMaxSize(12);
  }

  @Property(tries = 500)
  void aUnionIntersectsIfOneOfItsSpansDoes(
      @ForAll("manySpans") List<Span> some, @ForAll("spans") Span other) {
    SpanUnion union = new SpanUnion();
    some.forEach(union::add);
    assertThat(union.meets(other)).isEqualTo(some.stream().anyMatch(other::meets));
  }
}
