package dev.oriel.sim.machine.provenance;

import dev.oriel.domain.data.DataType;
import dev.oriel.domain.data.ReduceOp;
import dev.oriel.domain.data.Reduction;
import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.Grouping;
import dev.oriel.sim.code.WorldCode;
import dev.oriel.sim.machine.finding.Finding;
import dev.oriel.sim.machine.finding.FindingException;

/**
 * Reduces several sources to one, in place: {@link Reduction} computes the values, {@link
 * ReductionProvenance} the origins. {@link dev.oriel.domain.binding.CombineEvaluator} computes the
 * same values.
 */
public final class ReductionCombiner implements SourceCombiner {
  private final Reduction reduction;
  private final ReductionProvenance lineage;
  private final DataType type;

  /**
   * Whether sources in any order and grouping give the same bytes. Integers do: they wrap, and are
   * never rounded. An average is divided, and rounds.
   */
  private final boolean anyOrder;

  /** Whether a zero changes no sum. In floating point it may: 0 + -0 is 0. */
  private final boolean neutralZero;

  ReductionCombiner(Combine.Reduce combine, boolean ordered) {
    reduction = new Reduction(combine.op(), combine.type(), combine.accumulator());
    type = combine.type();
    boolean exact = type.isInteger() && combine.op() != ReduceOp.AVG;
    anyOrder = !ordered || exact;
    lineage = new ReductionProvenance(reduction, !anyOrder);
    neutralZero = combine.op() == ReduceOp.SUM && type.isInteger();
  }

  /** Whether the order of the program's reductions matters to its post-conditions. */
  static boolean ordered(WorldCode code) {
    return code.form().ensures().stream().noneMatch(e -> e.grouping() instanceof Grouping.Any);
  }

  /** Whether the order of sources does not matter. */
  public boolean inAnyOrder() {
    return anyOrder;
  }

  @Override
  public int taken(int source, int length) {
    return length;
  }

  @Override
  public void make(long[] data, int sources, int length) {
    if (length % type.bytes() != 0) {
      throw new FindingException(
          new Finding(
              Finding.Kind.BOUNDS,
              "length is no whole number of elements: bytes=%d, type=%s; use a multiple of %d"
                  .formatted(length, type.symbol(), type.bytes())));
    }
    for (int at = 0; at < length; at += type.bytes()) {
      int count = counted(data, at, sources, length);
      long accumulated = reduction.first(element(data, at));
      for (int k = 1; k < count; k++) {
        accumulated = reduction.next(accumulated, element(data, k * length + at));
      }
      long made = reduction.finish(accumulated, count);
      long marks = marks(data, at, count, length);
      for (int b = 0; b < type.bytes(); b++) {
        long origin = data[at + b];
        for (int k = 1; k < count; k++) {
          origin = lineage.next(origin, data[k * length + at + b]);
        }
        // With one source each byte keeps its marks.
        long says = count == 1 ? TaggedBytes.marks(0, origin) : marks;
        long upper = TaggedBytes.made(lineage.finish(origin, count), says);
        data[at + b] = upper | (made >>> (8 * b) & 0xFF);
      }
    }
  }

  /**
   * Moves the element's sources to the front that may change the result, and counts them; at least
   * one. A cleared element that nothing wrote since is no source of an integer sum.
   */
  private int counted(long[] data, int at, int sources, int length) {
    if (!neutralZero) {
      return sources;
    }
    int count = 0;
    for (int k = 0; k < sources; k++) {
      if (!cleared(data, k * length + at)) {
        System.arraycopy(data, k * length + at, data, count++ * length + at, type.bytes());
      }
    }
    return Math.max(1, count);
  }

  private boolean cleared(long[] data, int at) {
    for (int b = 0; b < type.bytes(); b++) {
      if (data[at + b] != 0) {
        return false;
      }
    }
    return true;
  }

  /** The combined marks of the element's bytes in all sources. */
  private long marks(long[] data, int at, int sources, int length) {
    long marks = 0;
    for (int k = 0; k < sources; k++) {
      for (int b = 0; b < type.bytes(); b++) {
        marks = TaggedBytes.marks(marks, data[k * length + at + b]);
      }
    }
    return marks;
  }

  private long element(long[] data, int at) {
    return type.wrap(TaggedBytes.word(data, at, type.bytes()));
  }
}
