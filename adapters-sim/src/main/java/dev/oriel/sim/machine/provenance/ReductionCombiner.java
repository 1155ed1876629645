package dev.oriel.sim.machine.provenance;

import dev.oriel.domain.data.DataType;
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

  ReductionCombiner(Combine.Reduce combine, boolean ordered) {
    reduction = new Reduction(combine.op(), combine.type(), combine.accumulator());
    lineage = new ReductionProvenance(reduction, ordered);
    type = combine.type();
  }

  /** Whether the order of the program's reductions matters to its post-conditions. */
  public static boolean ordered(WorldCode code) {
    return code.form().ensures().stream().noneMatch(e -> e.grouping() instanceof Grouping.Any);
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
      long accumulated = reduction.first(element(data, at));
      for (int k = 1; k < sources; k++) {
        accumulated = reduction.next(accumulated, element(data, k * length + at));
      }
      long made = reduction.finish(accumulated, sources);
      long marks = marks(data, at, sources, length);
      for (int b = 0; b < type.bytes(); b++) {
        long origin = data[at + b];
        for (int k = 1; k < sources; k++) {
          origin = lineage.next(origin, data[k * length + at + b]);
        }
        // With one source each byte keeps its marks.
        long says = sources == 1 ? TaggedBytes.marks(0, origin) : marks;
        long upper = TaggedBytes.made(lineage.finish(origin, sources), says);
        data[at + b] = upper | (made >>> (8 * b) & 0xFF);
      }
    }
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
