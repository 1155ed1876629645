package dev.oriel.sim.machine.provenance;

import dev.oriel.domain.data.ReduceOp;
import dev.oriel.domain.data.Reduction;
import dev.oriel.sim.machine.fingerprint.Hash;

/**
 * Where a reduced byte came from, as one number in the bits above its value.
 *
 * <p>Ordered, it is told by the sources from left to right: (a, b) and c is the same as (a, b, c),
 * and anything else differs, also where a result was rounded in between. Otherwise it is told by
 * which sources there are, each as often as it went in. Every operator and type has its own.
 */
final class Lineage {
  private static final long ORIGIN = Octets.ORIGIN;

  private final boolean ordered;
  private final boolean averages;
  private final boolean rounds;
  private final long salt;

  Lineage(Reduction reduction, boolean ordered) {
    this.ordered = ordered;
    averages = reduction.op() == ReduceOp.AVG;
    rounds = reduction.element() != reduction.accumulator();
    salt = Hash.spread(name(reduction));
  }

  @SuppressWarnings("EnumOrdinal") // a number of its own for each
  private static long name(Reduction r) {
    return 1 + r.op().ordinal() + 16L * (r.element().ordinal() + 16L * r.accumulator().ordinal());
  }

  /**
   * One more source; what came before is mixed, so that (a, b) and (c, d) is not (a, c) and (b, d).
   */
  long next(long accumulated, long source) {
    long before = accumulated & ORIGIN;
    return (ordered ? Hash.spread(before + salt) & ORIGIN : before + (salt << 8))
        + (source & ORIGIN);
  }

  /** What was made of so many sources, now rounded. */
  long finish(long accumulated, int sources) {
    if (sources == 1 || !ordered || !(averages || rounds)) {
      return accumulated & ORIGIN;
    }
    return (accumulated & ORIGIN) * (salt | 1) + (Hash.spread(salt) << 8);
  }
}
