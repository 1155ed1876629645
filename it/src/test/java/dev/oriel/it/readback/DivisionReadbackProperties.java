package dev.oriel.it.readback;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.program.parse.FormParser;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Printed kernels divide like the domain: words of either sign, of 32 bits and of more. */
class DivisionReadbackProperties {
  private static final Kernels KERNELS =
      Kernels.of(
          FormParser.parse(
              """
              form divide
              param A <= 9223372036854775807
              param B <= 9223372036854775807
              param C <= 9223372036854775807
              param D <= 9223372036854775807
              let seven = 7
              let eight = 8
              signal S[9]

              lane main: sm(32) {
                let x = A - B
                let y = C - D
                signal S[0]@peers set x / y release
                signal S[1]@peers set x % y release
                signal S[2]@peers set ceil(x, y) release
                signal S[3]@peers set x / seven release
                signal S[4]@peers set x % eight release
                signal S[5]@peers set ceil(x, eight) release
                signal S[6]@peers set x / 4294967297 release
                signal S[7]@peers set x % 4294967295 release
                signal S[8]@peers set ceil(x, 8) release
              }
              """),
          1,
          2);

  @Provide
  Arbitrary<Long> words() {
    return Arbitraries.oneOf(
        Arbitraries.longs().between(0, 20),
        Arbitraries.longs().between(0, 1L << 33),
        Arbitraries.longs().between(0, 4).map(d -> (1L << 32) - 2 + d),
        Arbitraries.longs().greaterOrEqual(0));
  }

  @Property(tries = 400)
  void everyQuotientAndRest(
      @ForAll("words") long a,
      @ForAll("words") long b,
      @ForAll("words") long c,
      @ForAll("words") long d) {
    Assume.that(c != d);
    assertThat(KERNELS.compare(Map.of("A", a, "B", b, "C", c, "D", d), 1).actions()).isPositive();
  }
}
