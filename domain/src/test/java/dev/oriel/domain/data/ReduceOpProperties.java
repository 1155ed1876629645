package dev.oriel.domain.data;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** What the origins of reduced bytes in the simulator rely on. */
class ReduceOpProperties {
  /** NaNs, infinities, zeros of both signs, and the ends of integers. */
  private static final long[] SPECIAL = {
    0,
    0x80000000L,
    0x7F800000L,
    0xFF800000L,
    0x7FC00000L,
    0x7FC00001L,
    0xFFC12345L,
    0x7F800001L,
    0x8000000000000000L,
    0x7FF0000000000000L,
    0x7FF8000000000000L,
    0xFFF8000000000123L,
    -1,
    1
  };

  private static Stream<DataType> accumulators() {
    return Arrays.stream(DataType.values()).filter(t -> Reduction.fits(t, t));
  }

  private static long pattern(DataType type, long value) {
    int unused = Long.SIZE - 8 * type.bytes();
    return type.isInteger() ? value << unused >> unused : value << unused >>> unused;
  }

  @Property
  void operandsMayChangePlaces(@ForAll long a, @ForAll long b) {
    commutes(a, b);
    for (long special : SPECIAL) {
      commutes(a, special);
      for (long other : SPECIAL) {
        commutes(special, other);
      }
    }
  }

  private static void commutes(long a, long b) {
    accumulators()
        .forEach(type -> {
          long x = pattern(type, a);
          long y = pattern(type, b);
          for (ReduceOp op : ReduceOp.values()) {
            assertThat(op.combine(type, x, y))
                .as("%s of %s: %x, %x", op, type, x, y)
                .isEqualTo(op.combine(type, y, x));
          }
        });
  }

  @Property
  void integersMayBeReducedInAnyGroupingAndZeroChangesNoSum(
      @ForAll long a, @ForAll long b, @ForAll long c) {
    accumulators()
        .filter(DataType::isInteger)
        .forEach(type -> {
          long x = pattern(type, a);
          long y = pattern(type, b);
          long z = pattern(type, c);
          for (ReduceOp op : ReduceOp.values()) {
            long left = op.combine(type, op.combine(type, x, y), z);
            assertThat(left).isEqualTo(op.combine(type, x, op.combine(type, y, z)));
          }
          assertThat(ReduceOp.SUM.combine(type, x, 0)).isEqualTo(x);
        });
  }

  /** Integers that are narrowed after each step are those that are narrowed once. */
  @Property
  void integersMayBeNarrowedAfterEachStep(@ForAll long a, @ForAll long b, @ForAll long c) {
    for (DataType element : DataType.values()) {
      for (DataType accumulator : DataType.values()) {
        for (ReduceOp op : ReduceOp.values()) {
          if (element.isInteger() && op != ReduceOp.AVG && Reduction.fits(element, accumulator)) {
            Reduction reduction = new Reduction(op, element, accumulator);
            long x = pattern(element, a);
            long y = pattern(element, b);
            long z = pattern(element, c);
            long once = reduction.next(reduction.next(reduction.first(x), y), z);
            long twice = reduction.finish(reduction.next(reduction.first(x), y), 2);
            assertThat(reduction.finish(reduction.next(reduction.first(twice), z), 2))
                .as("%s of %s in %s: %x, %x, %x", op, element, accumulator, x, y, z)
                .isEqualTo(reduction.finish(once, 3));
          }
        }
      }
    }
  }
}
