package dev.oriel.domain.binding;

import dev.oriel.domain.data.Elements;
import dev.oriel.domain.hook.ContextField;
import dev.oriel.domain.hook.Hook;
import dev.oriel.domain.hook.HookArray;
import dev.oriel.domain.hook.HookContext;
import dev.oriel.domain.hook.HookEvaluator;
import dev.oriel.domain.hook.IndexMap;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.HookForm;
import dev.oriel.domain.program.Printer;
import dev.oriel.domain.program.ProgramException;
import java.util.ArrayList;
import java.util.List;

/** A hook whose numbers are known: which bytes of a source a move takes, and what it makes. */
public final class BoundHook {
  private final Hook hook;

  private BoundHook(Hook hook) {
    this.hook = hook;
  }

  /**
   * The hook of a form that {@link RankProgram#bound} made one rank's.
   *
   * @throws ProgramException if a number is out of bounds
   */
  public static BoundHook of(HookForm form) {
    try {
      return new BoundHook(form.with(BoundHook::known));
    } catch (ProgramException unknown) {
      throw unknown;
    } catch (IllegalArgumentException refused) {
      throw new ProgramException("%s (hook=%s)".formatted(refused.getMessage(), form.name()));
    }
  }

  private static long known(Expr number) {
    if (number instanceof Expr.Const(long value)) {
      return value;
    }
    throw new ProgramException(
        "hook not bound: number=%s; bind it to a rank".formatted(Printer.print(number)));
  }

  public Hook hook() {
    return hook;
  }

  /** What the hook sees of a move that makes so many bytes. */
  public HookContext context(long bytes) {
    return HookContext.ZERO.with(ContextField.COUNT, outputs(bytes));
  }

  /** How many outputs so many bytes are. */
  public long outputs(long bytes) {
    return bytes / hook.result().bytes();
  }

  /** Up to where a move that makes so many bytes reads a source, from its region's first byte. */
  public long taken(int source, long bytes) {
    return Math.max(0, Evaluator.value(taken(source, Expr.of(bytes)), name -> 0));
  }

  /** The same as an operand; of no bytes it may be less than 0. */
  Expr taken(int source, Expr bytes) {
    int from = hook.sources().get(source).type().bytes();
    int to = hook.result().bytes();
    return switch (map(source)) {
      case IndexMap.Affine(long offset, long stride) when stride < 0 ->
          Expr.of((offset + 1) * from);
      case IndexMap.Affine(long offset, long stride) ->
          elements(bytes, to, stride * from).plus((offset + 1 - stride) * from);
      case IndexMap.Blocks(long size) -> whole(bytes, size * to, from);
      // Of the last matrix as many columns as are begun, and of those before all.
      case IndexMap.Transpose(long rows, long columns) ->
          whole(bytes, rows * columns * to, (rows - 1) * columns * from)
              .plus(whole(bytes, rows * to, from));
      case IndexMap.Permutation(List<Integer> order) ->
          whole(bytes, (long) order.size() * to, (long) order.size() * from);
      case IndexMap.Gather(int _, long rows, long width) -> Expr.of(rows * width * from);
    };
  }

  /** The least element of a source that is read: below 0 where the map leaves its array. */
  Expr least(int source, Expr bytes) {
    return map(source) instanceof IndexMap.Affine(long offset, long stride)
        ? stride >= 0
            ? Expr.of(offset)
            : elements(bytes, hook.result().bytes(), stride).plus(offset - stride)
        : Expr.of(0);
  }

  private IndexMap map(int source) {
    return hook.sources().get(source).map();
  }

  /** So many bytes for each output, exact where one divides the other. */
  private static Expr elements(Expr bytes, int output, long each) {
    return each % output == 0
        ? bytes.times(each / output)
        : bytes.over(Expr.of(output)).times(each);
  }

  /** So many bytes for each begun group. */
  private static Expr whole(Expr bytes, long group, long each) {
    return Expr.ceil(bytes, Expr.of(group)).times(each);
  }

  /**
   * The bytes that a move makes of what it takes of each source.
   *
   * @throws IllegalArgumentException if a gathered row does not exist
   */
  public byte[] apply(List<byte[]> sources, int bytes) {
    List<HookArray> arrays = new ArrayList<>();
    for (int k = 0; k < sources.size(); k++) {
      arrays.add(HookArray.of(Elements.of(hook.sources().get(k).type(), sources.get(k))));
    }
    byte[] made = new byte[bytes];
    HookEvaluator.apply(
        hook,
        context(bytes),
        arrays,
        HookArray.of(Elements.of(hook.result(), made)),
        0,
        outputs(bytes));
    return made;
  }
}
