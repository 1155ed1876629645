package dev.oriel.domain.data;

/** The operator of a reduction. */
public enum ReduceOp {
  SUM,
  MIN,
  MAX,
  PROD,
  /** The sum divided by the number of sources. */
  AVG;

  /**
   * One step in the accumulator's type: the accumulated value, then the next source. AVG only adds
   * here; its division belongs to {@link Reduction#finish}.
   */
  public long combine(DataType accumulator, long accumulated, long next) {
    return switch (this) {
      case SUM, AVG -> Arithmetic.add(accumulator, accumulated, next);
      case MIN -> Arithmetic.min(accumulator, accumulated, next);
      case MAX -> Arithmetic.max(accumulator, accumulated, next);
      case PROD -> Arithmetic.multiply(accumulator, accumulated, next);
    };
  }
}
