package dev.oriel.domain.binding;

import java.util.List;

/**
 * A value that is known only while a lane runs: a multiple of {@code stride} from {@code low} to
 * {@code high}. A choice is the smaller or the larger of two sums.
 */
record SymbolicValue(
    int id, long low, long high, long stride, Choice choice, List<LinearExpression> options)
    implements Comparable<SymbolicValue> {

  /** How an unknown relates to its two options. */
  enum Choice {
    NONE,
    SMALLER,
    LARGER
  }

  /** A bound so far away that nothing can be proved from it. */
  static final long FAR = Long.MAX_VALUE;

  @Override
  public int compareTo(SymbolicValue other) {
    return Integer.compare(id, other.id);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SymbolicValue unknown && unknown.id == id;
  }

  @Override
  public int hashCode() {
    return id;
  }
}
