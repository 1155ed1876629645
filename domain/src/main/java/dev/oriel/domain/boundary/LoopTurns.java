package dev.oriel.domain.boundary;

import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.rewrite.ExprEdits;
import dev.oriel.domain.rewrite.PartTraversal;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/** How many lanes a form's text has, and how many turns its loops have. */
public final class LoopTurns {
  private final Form form;
  private final List<OperandThreshold.Turns> loops;

  /** Of that form. */
  public LoopTurns(Form form) {
    this.form = form;
    this.loops =
        TextThresholds.of(form).stream()
            .filter(OperandThreshold.Turns.class::isInstance)
            .map(OperandThreshold.Turns.class::cast)
            .toList();
  }

  /**
   * The most turns of one loop at rank 0, as far as binding knows; loops within loops count alone.
   *
   * @param params values of all parameters
   */
  public long most(int world, Map<String, Long> params) {
    BoundNames names = new BoundNames(form, world, 0, params);
    return loops.stream()
        .map(loop -> names.value(loop.count(), loop.zeros()))
        .flatMapToLong(OptionalLong::stream)
        .max()
        .orElse(0);
  }

  /**
   * The turns of all loops of one lane at rank 0, those within loops as often as they happen; the
   * most of any lane. A loop of which binding does not know the count has none.
   *
   * @param params values of all parameters
   */
  public long all(int world, Map<String, Long> params) {
    BoundNames names = new BoundNames(form, world, 0, params);
    return form.lanes().stream()
        .mapToLong(lane -> {
          Set<String> indices = new TreeSet<>();
          lane.indices().forEach(index -> indices.add(index.name()));
          return turns(lane.body(), names, indices);
        })
        .max()
        .orElse(0);
  }

  /** The lanes of rank 0; without families of which binding does not know the indices. */
  public long lanes(int world, Map<String, Long> params) {
    BoundNames names = new BoundNames(form, world, 0, params);
    long lanes = 0;
    for (LaneFamily family : form.lanes()) {
      long count = 1;
      for (LaneFamily.Index index : family.indices()) {
        count = product(count, Math.max(0, names.value(index.count(), Set.of()).orElse(0)));
      }
      lanes = ExprEdits.capped(lanes, count);
    }
    return lanes;
  }

  private static long turns(List<Op> ops, BoundNames names, Set<String> zeros) {
    long turns = 0;
    for (Op op : ops) {
      long inside = 0;
      Set<String> within = zeros;
      if (op instanceof Op.For loop) {
        within = new TreeSet<>(zeros);
        within.add(loop.variable());
      }
      for (List<Op> block : PartTraversal.blocks(op)) {
        inside = ExprEdits.capped(inside, turns(block, names, within));
      }
      long times =
          op instanceof Op.For loop ? Math.max(0, names.value(loop.count(), zeros).orElse(0)) : 1;
      long own = op instanceof Op.For ? 1 : 0;
      turns = ExprEdits.capped(turns, product(times, ExprEdits.capped(inside, own)));
    }
    return turns;
  }

  private static long product(long a, long b) {
    return a == 0 || b <= Long.MAX_VALUE / a ? a * b : Long.MAX_VALUE;
  }
}
