package dev.oriel.sim.testing;

import dev.oriel.domain.window.DataSizes;
import dev.oriel.domain.window.RdmaRows;
import dev.oriel.domain.window.WindowSpec;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Arbitraries of window specifications. */
public final class WindowArbitraries {
  private WindowArbitraries() {}

  /**
   * Specs with up to {@code bytes} of data for each rank and few slots, possibly none of a kind.
   */
  public static Arbitrary<WindowSpec> specs(long bytes) {
    Arbitrary<Integer> count = Arbitraries.integers().between(0, 3);
    Arbitrary<DataSizes> data = SizeArbitraries.bytes(bytes).map(DataSizes::uniform);
    return Combinators.combine(
            Arbitraries.of("w", "kv.cache", "expert-0"),
            data,
            count,
            count,
            count,
            Arbitraries.of(RdmaRows.values()))
        .as(WindowSpec::new);
  }
}
