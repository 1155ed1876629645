package dev.oriel.domain.topology;

import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * An immutable, ascending set of non-negative integers that knows the position of each member.
 *
 * <p>Evenly spaced sets (a range of ranks, every eighth rank) hold no array and answer everything
 * in constant time; any other set holds its members sorted and searches them.
 */
public final class IndexSet {

  /** The set without members. */
  public static final IndexSet EMPTY = new IndexSet(0, 1, 0, new int[0]);

  private final int first;
  private final int step;
  private final int size;
  private final int[] uneven;
  private final int hash;

  private IndexSet(int first, int step, int size, int[] uneven) {
    this.first = first;
    this.step = step;
    this.size = size;
    this.uneven = uneven;
    this.hash = ((first * 31 + step) * 31 + size) * 31 + Arrays.hashCode(uneven);
  }

  /** The set of {@code values}, in any order; a repeated value counts once. */
  public static IndexSet of(int... values) {
    return ascending(Arrays.stream(values).sorted().distinct().toArray());
  }

  /** The members from {@code from} up to but not including {@code to}. */
  public static IndexSet range(int from, int to) {
    if (from < 0 || to < from) {
      throw new IllegalArgumentException(
          "bad range: from=" + from + ", to=" + to + "; use 0 <= from <= to");
    }
    return from == to ? EMPTY : new IndexSet(from, 1, to - from, EMPTY.uneven);
  }

  private static IndexSet ascending(int[] sorted) {
    if (sorted.length == 0) {
      return EMPTY;
    }
    if (sorted[0] < 0) {
      throw new IllegalArgumentException(
          "negative member: value=" + sorted[0] + "; members count from 0");
    }
    int step = sorted.length == 1 ? 1 : sorted[1] - sorted[0];
    boolean even =
        IntStream.range(1, sorted.length).allMatch(i -> sorted[i] - sorted[i - 1] == step);
    return even
        ? new IndexSet(sorted[0], step, sorted.length, EMPTY.uneven)
        : new IndexSet(sorted[0], 0, sorted.length, sorted);
  }

  /** How many members there are. */
  public int size() {
    return size;
  }

  /** The member at {@code position}, counted from 0 in ascending order. */
  public int get(int position) {
    if (position < 0 || position >= size) {
      throw new IndexOutOfBoundsException(
          "position out of range: position=" + position + ", size=" + size);
    }
    return step == 0 ? uneven[position] : first + position * step;
  }

  /** How many members are smaller than {@code value}, which need not be a member. */
  public int countBelow(int value) {
    if (size == 0 || value <= first) {
      return 0;
    }
    if (step != 0) {
      return Math.min(size, Math.ceilDiv(value - first, step));
    }
    int found = Arrays.binarySearch(uneven, value);
    return found < 0 ? -found - 1 : found;
  }

  /** Whether {@code value} is a member. */
  public boolean contains(int value) {
    int position = countBelow(value);
    return position < size && get(position) == value;
  }

  /** This set with {@code value} in it. */
  public IndexSet with(int value) {
    return contains(value) ? this : of(IntStream.concat(stream(), IntStream.of(value)).toArray());
  }

  /** The members, ascending. */
  public IntStream stream() {
    return step == 0
        ? Arrays.stream(uneven)
        : IntStream.range(0, size).map(position -> first + position * step);
  }

  @Override
  public boolean equals(Object other) {
    return other == this
        || (other instanceof IndexSet that
            && hash == that.hash
            && first == that.first
            && step == that.step
            && size == that.size
            && Arrays.equals(uneven, that.uneven));
  }

  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public String toString() {
    return step == 1 && size > 2
        ? "{" + first + ".." + get(size - 1) + "}"
        : stream().mapToObj(Integer::toString).collect(Collectors.joining(",", "{", "}"));
  }
}
