package dev.oriel.domain.binding;

import dev.oriel.domain.data.DataType;
import dev.oriel.domain.data.ElementArray;
import dev.oriel.domain.hook.ContextField;
import dev.oriel.domain.hook.Hook;
import dev.oriel.domain.hook.HookArray;
import dev.oriel.domain.hook.HookContext;
import dev.oriel.domain.hook.HookEvaluator;
import dev.oriel.domain.hook.HookSource;
import dev.oriel.domain.hook.IndexMap;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.FormPrinter;
import dev.oriel.domain.program.HookForm;
import dev.oriel.domain.program.MapForm;
import dev.oriel.domain.program.ProgramException;
import java.util.ArrayList;
import java.util.List;

/**
 * A hook with known numbers: the bytes of a source that a move takes, and the bytes that it
 * produces.
 */
public final class BoundHook {
  private final Hook hook;

  private BoundHook(Hook hook) {
    this.hook = hook;
  }

  /**
   * The hook of a form that {@link RankProgram#bound} has bound to one rank.
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
    return ExprEvaluator.value(
        number,
        name -> {
          throw new ProgramException(
              "hook not bound: number=%s; bind it to a rank".formatted(FormPrinter.print(number)));
        });
  }

  public Hook hook() {
    return hook;
  }

  /** The context that the hook sees for a move that produces {@code bytes} bytes. */
  public HookContext context(long bytes) {
    return HookContext.ZERO.with(ContextField.COUNT, outputs(bytes));
  }

  /** The number of outputs in that many bytes. */
  public long outputs(long bytes) {
    return bytes / hook.result().bytes();
  }

  /**
   * The end of the bytes that a move of that length reads, from the first byte of the source's
   * region.
   */
  public long taken(int source, long bytes) {
    HookSource from = hook.sources().get(source);
    return end(MapForm.of(from.map()), from.type(), bytes);
  }

  /** The end of the bytes that it writes, from the first byte of a destination. */
  public long written(long bytes) {
    return end(MapForm.of(hook.target()), hook.result(), bytes);
  }

  private long end(MapForm map, DataType type, long bytes) {
    Expr end = new HookMapRange(map, type.bytes(), hook.result().bytes()).end(Expr.of(bytes));
    return Math.max(0, known(end));
  }

  /**
   * Neighbouring produced bytes that are also neighbours in a destination.
   *
   * @param from the index of the first among the produced bytes
   * @param to its offset from the destination's first byte
   */
  public record Run(int from, int to, int length) {}

  /** The places in a destination of the produced bytes, in the order of the outputs. */
  public List<Run> runs(int bytes) {
    if (hook.target().equals(IndexMap.IDENTITY)) {
      return List.of(new Run(0, 0, bytes));
    }
    int width = hook.result().bytes();
    List<Run> runs = new ArrayList<>();
    int first = 0;
    for (int i = 1; i <= outputs(bytes); i++) {
      if (i == outputs(bytes) || hook.target().at(i) != hook.target().at(i - 1) + 1) {
        int to = Math.toIntExact(hook.target().at(first) * width);
        runs.add(new Run(first * width, to, (i - first) * width));
        first = i;
      }
    }
    return runs;
  }

  /**
   * The bytes that a move produces from the taken bytes of each source, in the order of the
   * outputs.
   *
   * @throws IllegalArgumentException if a gathered row does not exist
   */
  public byte[] apply(List<byte[]> sources, int bytes) {
    List<HookArray> arrays = new ArrayList<>();
    for (int k = 0; k < sources.size(); k++) {
      arrays.add(HookArray.of(ElementArray.of(hook.sources().get(k).type(), sources.get(k))));
    }
    byte[] made = new byte[bytes];
    HookEvaluator.apply(
        hook.into(IndexMap.IDENTITY),
        context(bytes),
        arrays,
        HookArray.of(ElementArray.of(hook.result(), made)),
        0,
        outputs(bytes));
    return made;
  }
}
