package dev.oriel.domain.data;

import java.util.List;

/**
 * Reduces elements of one type in an accumulator's type, in the order that the caller gives.
 *
 * <p>The first source is widened to the accumulator, each next one is widened and combined, and the
 * result is narrowed once at the end. AVG divides the sum by the count before that: integers
 * truncate toward zero, floating-point sums are divided in the accumulator's type. Floating-point
 * accumulators are only FP32 and FP64, where a GPU divides and rounds as Java does.
 */
public record Reduction(ReduceOp op, DataType element, DataType accumulator) {

  /** Most sources of one reduction, so that FP32 holds their count exactly. */
  public static final int MAX_SOURCES = 1 << 24;

  public Reduction {
    if (!fits(element, accumulator)) {
      throw new IllegalArgumentException(
          "unfit accumulator: op=%s, element=%s, accumulator=%s; use %s"
              .formatted(op, element, accumulator, element.accumulator()));
    }
  }

  /** Whether elements of the one type can be accumulated in the other. */
  public static boolean fits(DataType element, DataType accumulator) {
    boolean wideEnough = accumulator.bytes() >= element.bytes();
    boolean sameKind = accumulator.isInteger() == element.isInteger();
    boolean computes = accumulator.isInteger() || accumulator.isArithmetic();
    return wideEnough && sameKind && computes;
  }

  /** A reduction in the element type's usual accumulator. */
  public static Reduction of(ReduceOp op, DataType element) {
    return new Reduction(op, element, element.accumulator());
  }

  /** The accumulator after the first source. */
  public long first(long pattern) {
    return Conversion.convert(element, accumulator, pattern);
  }

  /** The accumulator after one more source. */
  public long next(long accumulated, long pattern) {
    return op.combine(accumulator, accumulated, first(pattern));
  }

  /** The element that results from {@code count} accumulated sources. */
  public long finish(long accumulated, int count) {
    requireCount(count);
    long value = op == ReduceOp.AVG ? divide(accumulated, count) : accumulated;
    return Conversion.convert(accumulator, element, value);
  }

  /** Reduces equally long sources element by element; the destination may be one of them. */
  public void reduce(List<ElementArray> sources, ElementArray destination) {
    requireCount(sources.size());
    requireAlike(destination, destination.count());
    for (ElementArray source : sources) {
      requireAlike(source, destination.count());
    }
    for (int i = 0; i < destination.count(); i++) {
      long accumulated = first(sources.getFirst().get(i));
      for (int k = 1; k < sources.size(); k++) {
        accumulated = next(accumulated, sources.get(k).get(i));
      }
      destination.set(i, finish(accumulated, sources.size()));
    }
  }

  private long divide(long sum, int count) {
    return accumulator.isInteger()
        ? sum / count
        : Arithmetic.divide(accumulator, sum, Conversion.ofLong(accumulator, count));
  }

  private static void requireCount(int count) {
    if (count < 1 || count > MAX_SOURCES) {
      throw new IllegalArgumentException(
          "bad number of sources: count=%d, most=%d; give at least one and split larger sets"
              .formatted(count, MAX_SOURCES));
    }
  }

  private void requireAlike(ElementArray elements, int count) {
    if (elements.type() != element || elements.count() != count) {
      throw new IllegalArgumentException(
          "operands of a reduction differ: type=%s, count=%d, element=%s, elements=%d; %s"
              .formatted(
                  elements.type(), elements.count(), element, count, "give views of one shape"));
    }
  }
}
