package dev.oriel.domain.binding;

import dev.oriel.domain.binding.RankProgram.LaneInstance;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.Op;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Finds the loads from inputs in all lanes of a rank, and the bounds that they name. */
final class LoadWalk {
  private final RankProgram rank;
  private final Map<String, InputWords> words;

  /** The values of the lane's names, as far as they are known before it runs. */
  private final Map<String, Long> values = new HashMap<>();

  LoadWalk(RankProgram rank, Map<String, InputWords> words) {
    this.rank = rank;
    this.words = words;
  }

  void all() {
    if (!rank.program().loadsInputs()) {
      return;
    }
    for (LaneInstance lane : rank.lanes()) {
      values.clear();
      values.putAll(lane.indices());
      block(lane.lane().body());
    }
  }

  /** Whether any lane loads from an input. */
  static boolean anyLoad(Form form) {
    return form.lanes().stream().anyMatch(lane -> loads(form, lane.body()));
  }

  private static boolean loads(Form form, List<Op> ops) {
    return ops.stream()
        .anyMatch(op ->
            switch (op) {
              case Op.Load l -> input(form, l);
              case Op.If branch -> loads(form, branch.then()) || loads(form, branch.otherwise());
              case Op.For loop -> loads(form, loop.body());
              case Op.Each each -> loads(form, each.body());
              default -> false;
            });
  }

  private static boolean input(Form form, Op.Load l) {
    return form.buffer(l.word().buffer()).orElseThrow().space().filled();
  }

  private void block(List<Op> ops) {
    for (Op op : ops) {
      switch (op) {
        case Op.Load l -> load(l);
        case Op.Let(var name, var value) -> {
          if (known(value)) {
            values.put(name, value(value));
          } else {
            values.remove(name);
          }
        }
        case Op.If branch -> {
          block(branch.then());
          block(branch.otherwise());
        }
        case Op.For loop -> {
          values.remove(loop.variable());
          block(loop.body());
        }
        case Op.Each each -> {
          values.remove(each.variable());
          block(each.body());
        }
        default -> {}
      }
    }
  }

  private void load(Op.Load l) {
    if (input(rank.program().form(), l)) {
      InputWords loaded =
          l.bound()
              .map(Op.Load.Bound::max)
              .filter(this::known)
              .map(this::value)
              .filter(bound -> bound >= 0)
              .map(bound -> new InputWords(l.width(), bound))
              .orElse(new InputWords(l.width(), InputWords.SMALL, l.bound().isPresent()));
      words.merge(l.word().buffer(), loaded, InputWords::both);
    }
    values.remove(l.register());
  }

  private boolean known(Expr expr) {
    return switch (expr) {
      case Expr.Const c -> true;
      case Expr.Name(String name) -> values.containsKey(name) || rank.knows(name);
      case Expr.NonZero32(Expr counter) -> known(counter);
      case Expr.Binary(var operator, Expr left, Expr right) -> known(left) && known(right);
    };
  }

  private long value(Expr expr) {
    return ExprEvaluator.value(
        expr, name -> values.containsKey(name) ? values.get(name) : rank.known(name));
  }
}
