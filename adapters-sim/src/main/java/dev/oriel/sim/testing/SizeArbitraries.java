package dev.oriel.sim.testing;

import java.util.stream.LongStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Tuple;

/** Arbitraries of byte counts, with a preference for those that often break protocols. */
public final class SizeArbitraries {
  private SizeArbitraries() {}

  /** From 0 to {@code most}: nothing, one, odd, misaligned, around powers of two, and any. */
  public static Arbitrary<Long> bytes(long most) {
    Long[] preferred =
        LongStream.of(0, 1, 3, 7, 8, 9, 15, 16, 17, 127, 128, 129, 1000, 4096, 4097, most - 1, most)
            .filter(bytes -> 0 <= bytes && bytes <= most)
            .distinct()
            .boxed()
            .toArray(Long[]::new);
    return Arbitraries.frequencyOf(
        Tuple.of(3, Arbitraries.of(preferred)),
        Tuple.of(1, Arbitraries.longs().between(0, Math.min(64, most))),
        Tuple.of(1, Arbitraries.longs().between(0, most)));
  }
}
