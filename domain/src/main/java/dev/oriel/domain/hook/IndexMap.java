package dev.oriel.domain.hook;

import java.util.BitSet;
import java.util.List;

/** Maps output element {@code i} to an element of an array. */
public sealed interface IndexMap {

  /** Indices stay below this, so that no map overflows. */
  long MAX_INDEX = 1L << 38;

  /** Strides are at most this. */
  long MAX_STRIDE = 1L << 24;

  /** The longest permutation; a longer one is a gather table. */
  int MAX_ORDER = 1024;

  /** Element i for output i. */
  Fixed IDENTITY = new Affine(0, 1);

  /** A map that needs no loaded value. */
  sealed interface Fixed extends IndexMap {

    /** The element's index, negative if there is none. */
    long at(long i);

    /** Whether different outputs always have different elements, as a target requires. */
    default boolean isInjective() {
      return true;
    }
  }

  /** {@code offset + stride * i}; stride 0 uses one value for all. */
  record Affine(long offset, long stride) implements Fixed {
    public Affine {
      require(-MAX_INDEX <= offset && offset <= MAX_INDEX, "offset", offset, MAX_INDEX);
      require(-MAX_STRIDE <= stride && stride <= MAX_STRIDE, "stride", stride, MAX_STRIDE);
    }

    @Override
    public long at(long i) {
      return offset + stride * i;
    }

    @Override
    public boolean isInjective() {
      return stride != 0;
    }
  }

  /** {@code i / size}: one element for each block of outputs, such as its scale. */
  record Blocks(long size) implements Fixed {
    public Blocks {
      require(size >= 1 && size <= MAX_INDEX, "size", size, MAX_INDEX);
    }

    @Override
    public long at(long i) {
      return i / size;
    }

    @Override
    public boolean isInjective() {
      return size == 1;
    }
  }

  /**
   * The outputs are the transpose of a rows x columns matrix; after its last element the next
   * matrix follows.
   */
  record Transpose(long rows, long columns) implements Fixed {
    public Transpose {
      require(rows >= 1 && rows <= MAX_INDEX, "rows", rows, MAX_INDEX);
      require(columns >= 1 && columns <= MAX_INDEX / rows, "columns", columns, MAX_INDEX / rows);
    }

    @Override
    public long at(long i) {
      long within = i % (rows * columns);
      return i - within + within % rows * columns + within / rows;
    }
  }

  /** Element {@code order[i]}; after the last one the next group of as many follows. */
  record Permutation(List<Integer> order) implements Fixed {
    public Permutation {
      require(!order.isEmpty() && order.size() <= MAX_ORDER, "length", order.size(), MAX_ORDER);
      order = List.copyOf(order);
      BitSet seen = new BitSet(order.size());
      for (int to : order) {
        if (to < 0 || to >= order.size() || seen.get(to)) {
          throw new IllegalArgumentException(
              "not a permutation: entry=%d, length=%d; name each of 0 to %d once"
                  .formatted(to, order.size(), order.size() - 1));
        }
        seen.set(to);
      }
    }

    @Override
    public long at(long i) {
      int within = (int) (i % order.size());
      return i - within + order.get(within);
    }
  }

  /**
   * Rows of {@code width} elements, chosen by a table: element {@code row * width + i % width},
   * where row is the INT32 that source {@code table} has for output i, from 0 to {@code rows} - 1.
   * A row outside is an error before anything is read with it.
   */
  record Gather(int table, long rows, long width) implements IndexMap {
    public Gather {
      require(table >= 0 && table < Hook.MAX_SOURCES, "table", table, Hook.MAX_SOURCES - 1);
      require(width >= 1 && width <= MAX_INDEX, "width", width, MAX_INDEX);
      require(rows >= 1 && rows <= MAX_INDEX / width, "rows", rows, MAX_INDEX / width);
    }

    /** The element's index, given the row. */
    public long at(long i, long row) {
      return row * width + i % width;
    }
  }

  private static void require(boolean holds, String what, long value, long most) {
    if (!holds) {
      throw new IllegalArgumentException(
          "index map out of bounds: %s=%d, most=%d; keep it inside".formatted(what, value, most));
    }
  }
}
