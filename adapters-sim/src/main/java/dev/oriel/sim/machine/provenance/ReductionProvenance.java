package dev.oriel.sim.machine.provenance;

import dev.oriel.domain.data.ReduceOp;
import dev.oriel.domain.data.Reduction;
import dev.oriel.sim.machine.fingerprint.HashMixer;

/**
 * The origin of a reduced byte, as one number in the bits above its value.
 *
 * <p>If order matters, the steps from left to right determine it: (a, b) and c equals (a, b, c).
 * The two operands of a step may change places, since every operator is commutative, also on
 * rounded numbers: (b, a) and c is the same. Anything else differs, even if only a result was
 * rounded in between. If order does not matter, the multiset of sources determines it. Every
 * operator and type has its own origins.
 */
final class ReductionProvenance {
  private static final long ORIGIN = TaggedBytes.ORIGIN;

  private final boolean ordered;
  private final boolean averages;
  private final boolean rounds;
  private final long salt;

  ReductionProvenance(Reduction reduction, boolean ordered) {
    this.ordered = ordered;
    averages = reduction.op() == ReduceOp.AVG;
    rounds = reduction.element() != reduction.accumulator();
    salt = HashMixer.spread(name(reduction));
  }

  @SuppressWarnings("EnumOrdinal") // a number of its own for each
  private static long name(Reduction r) {
    return 1 + r.op().ordinal() + 16L * (r.element().ordinal() + 16L * r.accumulator().ordinal());
  }

  /**
   * Adds a source. Both origins are mixed first, so (a, b) and (c, d) differs from (a, c) and (b,
   * d).
   */
  long next(long accumulated, long source) {
    long before = accumulated & ORIGIN;
    long next = source & ORIGIN;
    return ordered
        ? (HashMixer.spread(before + salt) + HashMixer.spread(next + salt)) & ORIGIN
        : before + (salt << 8) + next;
  }

  /** The origin of a result of so many sources, now rounded. */
  long finish(long accumulated, int sources) {
    if (sources == 1 || !ordered || !(averages || rounds)) {
      return accumulated & ORIGIN;
    }
    return (accumulated & ORIGIN) * (salt | 1) + (HashMixer.spread(salt) << 8);
  }
}
