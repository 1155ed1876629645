package dev.oriel.domain.boundary;

import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.rewrite.ExprEdits;
import dev.oriel.domain.rewrite.PartTraversal;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
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
   * most of any lane. A loop of which binding does not know the count has one turn.
   *
   * @param params values of all parameters
   */
  public long all(int world, Map<String, Long> params) {
    BoundNames names = new BoundNames(form, world, 0, params);
    return form.lanes().stream()
        .mapToLong(lane -> {
          TurnWalk walk = new TurnWalk(names, world);
          lane.indices().forEach(index -> walk.zeros.add(index.name()));
          return walk.turns(lane.body());
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

  private static long product(long a, long b) {
    return a == 0 || b <= Long.MAX_VALUE / a ? a * b : Long.MAX_VALUE;
  }

  /** Adds the turns of a lane's loops. */
  private static final class TurnWalk {
    private final BoundNames names;
    private final int world;

    /** Names that count as 0: indices, and variables of loops. */
    private final Set<String> zeros = new TreeSet<>();

    /** What names of the lane stand for, without other such names. */
    private final Map<String, Expr> lets = new TreeMap<>();

    TurnWalk(BoundNames names, int world) {
      this.names = names;
      this.world = world;
    }

    long turns(List<Op> ops) {
      long turns = 0;
      for (Op op : ops) {
        if (op instanceof Op.Let let) {
          lets.put(let.register(), resolved(let.value()));
        }
        if (op instanceof Op.For loop) {
          zeros.add(loop.variable());
        }
        long inside = op instanceof Op.For ? 1 : 0;
        for (List<Op> block : PartTraversal.blocks(op)) {
          inside = ExprEdits.capped(inside, turns(block));
        }
        turns = ExprEdits.capped(turns, product(times(op), inside));
      }
      return turns;
    }

    private long times(Op op) {
      return switch (op) {
        case Op.For loop -> Math.max(0, names.value(resolved(loop.count()), zeros).orElse(1));
        case Op.Each _ -> world;
        default -> 1;
      };
    }

    private Expr resolved(Expr expr) {
      Expr resolved = expr;
      for (Map.Entry<String, Expr> let : lets.entrySet()) {
        resolved = ExprEdits.substitute(resolved, let.getKey(), let.getValue());
      }
      return resolved;
    }
  }
}
