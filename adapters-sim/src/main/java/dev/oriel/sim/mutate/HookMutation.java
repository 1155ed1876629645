package dev.oriel.sim.mutate;

import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.HookForm;
import dev.oriel.domain.program.HookOperands;
import dev.oriel.domain.program.MapForm;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.rewrite.ExprEdits;
import dev.oriel.domain.rewrite.FormEdits;
import dev.oriel.domain.rewrite.RewriteSite;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Mistakes in the hook that one move applies. */
enum HookMutation implements Mutation.OfOperation {
  /**
   * Another element of a source, or of the target: the next one, the one in a block of another
   * size, or rows as columns.
   */
  WRONG_MAP {
    @Override
    Stream<HookForm> wrong(HookForm hook) {
      Stream<HookForm> sources =
          IntStream.range(0, hook.sources().size())
              .boxed()
              .flatMap(
                  k -> wrong(hook.sources().get(k).map()).stream().map(map -> with(hook, k, map)));
      Stream<HookForm> targets =
          hook.scatters()
              ? wrong(hook.target()).stream().map(map -> with(hook, hook.sources(), map))
              : Stream.of();
      return Stream.concat(sources, targets);
    }

    private static List<MapForm> wrong(MapForm map) {
      return switch (map) {
        case MapForm.Affine(var offset, var stride) ->
            List.of(new MapForm.Affine(ExprEdits.plus(offset, 1), stride));
        case MapForm.Blocks(var size) ->
            List.of(
                new MapForm.Blocks(ExprEdits.plus(size, 1)),
                new MapForm.Blocks(ExprEdits.plus(size, -1)));
        case MapForm.Transpose(var rows, var columns) ->
            List.of(
                new MapForm.Transpose(/* rows= */ columns, /* columns= */ rows),
                MapForm.identity());
        case MapForm.Permutation _ -> List.of(MapForm.identity());
        case MapForm.Gather(int table, var rows, var width) ->
            List.of(new MapForm.Gather(table, rows, ExprEdits.plus(width, 1)));
      };
    }

    private static HookForm with(HookForm hook, int source, MapForm map) {
      HookForm.Source wrong = new HookForm.Source(hook.sources().get(source).type(), map);
      return with(hook, FormEdits.with(hook.sources(), source, wrong), hook.target());
    }

    private static HookForm with(HookForm hook, List<HookForm.Source> sources, MapForm target) {
      return new HookForm(hook.name() + "_", sources, hook.result(), target, hook.value());
    }
  };

  @Override
  public Stream<Op> wrong(RewriteSite spot) {
    return spot.op() instanceof Op.Move m
            && m.combine() instanceof Combine.Apply(HookForm hook, HookOperands operands)
        ? wrong(hook)
            .map(h ->
                new Op.Move(
                    m.ticket(),
                    m.destinations(),
                    new Combine.Apply(h, operands),
                    m.sources(),
                    m.bytes()))
        : Stream.of();
  }

  /** Possible wrong versions of the hook, under a name that the form does not have. */
  abstract Stream<HookForm> wrong(HookForm hook);

  @Override
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
