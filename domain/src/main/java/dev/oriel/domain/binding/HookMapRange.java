package dev.oriel.domain.binding;

import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.FormPrinter;
import dev.oriel.domain.program.MapForm;
import dev.oriel.domain.program.ProgramException;
import java.util.List;

/**
 * The range of elements that a map selects for the outputs of a move, from their region's first
 * byte. All numbers are known except offsets, which may be operands.
 *
 * @param element bytes of an element of the array
 * @param output bytes of one output
 */
record HookMapRange(MapForm map, int element, int output) {

  /** The end after the last byte, as an operand; it may be negative for 0 bytes. */
  Expr end(Expr bytes) {
    return switch (map) {
      case MapForm.Affine(Expr offset, Expr stride) when known(stride) < 0 ->
          times(plus(offset, 1), element);
      case MapForm.Affine(Expr offset, Expr stride) ->
          elements(bytes, known(stride) * element)
              .plus(times(plus(offset, 1 - known(stride)), element));
      case MapForm.Blocks(Expr size) -> whole(bytes, known(size) * output, element);
      // For each begun matrix all rows but the last, plus one element of the last row for each
      // begun column.
      case MapForm.Transpose(Expr rows, Expr columns) ->
          whole(
                  bytes,
                  known(rows) * known(columns) * output,
                  (known(rows) - 1) * known(columns) * element)
              .plus(whole(bytes, known(rows) * output, element));
      case MapForm.Permutation(List<Integer> order) ->
          whole(bytes, (long) order.size() * output, (long) order.size() * element);
      case MapForm.Gather(int _, Expr rows, Expr width) ->
          Expr.of(known(rows) * known(width) * element);
    };
  }

  /** The index of the lowest element: negative if the map leaves its array. */
  Expr least(Expr bytes) {
    if (!(map instanceof MapForm.Affine(Expr offset, Expr stride))) {
      return Expr.of(0);
    }
    long step = known(stride);
    return step >= 0 ? offset : elements(bytes, step).plus(plus(offset, -step));
  }

  private static long known(Expr number) {
    if (number instanceof Expr.Const(long value)) {
      return value;
    }
    throw new ProgramException(
        "hook not bound: number=%s; bind it to a rank".formatted(FormPrinter.print(number)));
  }

  /** {@code each} bytes for each output, exact if one divides the other. */
  private Expr elements(Expr bytes, long each) {
    return each % output == 0
        ? bytes.times(each / output)
        : bytes.over(Expr.of(output)).times(each);
  }

  /** {@code each} bytes for each begun group. */
  private static Expr whole(Expr bytes, long group, long each) {
    return Expr.ceil(bytes, Expr.of(group)).times(each);
  }

  private static Expr plus(Expr offset, long more) {
    return offset instanceof Expr.Const(long value) ? Expr.of(value + more) : offset.plus(more);
  }

  private static Expr times(Expr elements, long each) {
    return elements instanceof Expr.Const(long value)
        ? Expr.of(value * each)
        : elements.times(each);
  }
}
