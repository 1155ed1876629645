package dev.oriel.domain.binding;

import dev.oriel.domain.data.DataType;
import dev.oriel.domain.data.Elements;
import dev.oriel.domain.hook.ContextField;
import dev.oriel.domain.hook.Hook;
import dev.oriel.domain.hook.HookArray;
import dev.oriel.domain.hook.HookContext;
import dev.oriel.domain.hook.HookEvaluator;
import dev.oriel.domain.hook.HookSource;
import dev.oriel.domain.hook.IndexMap;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.HookForm;
import dev.oriel.domain.program.MapForm;
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
    return Evaluator.value(
        number,
        name -> {
          throw new ProgramException(
              "hook not bound: number=%s; bind it to a rank".formatted(Printer.print(number)));
        });
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
    HookSource from = hook.sources().get(source);
    return end(MapForm.of(from.map()), from.type(), bytes);
  }

  /** Up to where it writes, from a destination's first byte on. */
  public long written(long bytes) {
    return end(MapForm.of(hook.target()), hook.result(), bytes);
  }

  private long end(MapForm map, DataType type, long bytes) {
    Expr end = new Reach(map, type.bytes(), hook.result().bytes()).end(Expr.of(bytes));
    return Math.max(0, known(end));
  }

  /**
   * Neighbours among the bytes that a move makes which are neighbours in a destination as well.
   *
   * @param from the first of them, of those that are made
   * @param to its place from the destination's first byte on
   */
  public record Run(int from, int to, int length) {}

  /** Where what a move makes goes, in the order of the outputs. */
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
   * The bytes that a move makes of what it takes of each source, in the order of the outputs.
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
        hook.into(IndexMap.IDENTITY),
        context(bytes),
        arrays,
        HookArray.of(Elements.of(hook.result(), made)),
        0,
        outputs(bytes));
    return made;
  }
}
