package dev.oriel.domain.boundary;

import dev.oriel.domain.program.Cond;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.program.Operator;
import dev.oriel.domain.rewrite.ExprEdits;
import dev.oriel.domain.rewrite.OperationPart;
import dev.oriel.domain.rewrite.OperationRewrite;
import dev.oriel.domain.rewrite.PartTraversal;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Whether numbers of launches, and what lanes count across launches, may behave in another way
 * where they wrap. That takes more launches than a search has.
 */
public final class NearWraps {
  /** A literal of so many bits beside a counter is a mask or a limit. */
  private static final int BITS = 16;

  private final Form form;
  private boolean counts;
  private boolean near;

  /** Names whose value contains a counter. */
  private final Set<String> counters = new TreeSet<>();

  private NearWraps(Form form) {
    this.form = form;
  }

  /** Whether lanes count launches, or keep words across launches. */
  public static boolean counts(Form form) {
    return of(form).counts;
  }

  /**
   * Whether the text contains what makes a mistake at a wrap likely: a counter divided by what is
   * no power of two, or one with a mask or limit of many bits.
   */
  public static boolean likely(Form form) {
    return of(form).near;
  }

  private static NearWraps of(Form form) {
    NearWraps all = new NearWraps(form);
    for (LaneFamily lane : form.lanes()) {
      all.counters.clear();
      all.counters.add("epoch");
      lane.states().forEach(state -> all.counters.add(state.name()));
      all.counts |= !lane.states().isEmpty();
      all.ops(lane.body());
    }
    return all;
  }

  private void ops(List<Op> ops) {
    for (Op op : ops) {
      if (op instanceof Op.Let let && counter(let.value())) {
        counters.add(let.register());
      }
      PartTraversal.rewrite(
          op,
          new OperationRewrite() {
            @Override
            public <T> T part(OperationPart<T> part, T value) {
              if (value instanceof Expr expr) {
                expression(resolved(expr));
              }
              return value;
            }
          });
      if (op instanceof Op.If choice) {
        condition(choice.condition());
      }
      if (op instanceof Op.Check check) {
        condition(check.condition());
      }
      PartTraversal.blocks(op).forEach(this::ops);
    }
  }

  /** The operand with the values of definitions that are the same in every world and size. */
  private Expr resolved(Expr expr) {
    Expr resolved = expr;
    for (Form.Definition definition : form.definitions().reversed()) {
      resolved = ExprEdits.substitute(resolved, definition.name(), definition.value());
    }
    return ExprEdits.folded(resolved);
  }

  private boolean counter(Expr expr) {
    return counters.stream().anyMatch(name -> ExprEdits.uses(expr, name));
  }

  private void expression(Expr expr) {
    counts |= counter(expr);
    near |= ExprEdits.sum(expr, each -> wraps(each) ? 1 : 0) > 0;
  }

  private void condition(Cond condition) {
    for (Cond.Term term : condition.terms()) {
      near |= limits(resolved(term.left()), resolved(term.right()));
    }
  }

  private boolean wraps(Expr expr) {
    if (!(expr instanceof Expr.Binary(Operator operator, Expr left, Expr right))) {
      return false;
    }
    return switch (operator) {
      case MOD, DIV, CEIL -> counter(left) && (!isPower(right) || limits(left, right));
      case AND, MIN, MAX -> limits(left, right);
      default -> false;
    };
  }

  private boolean limits(Expr a, Expr b) {
    return (counter(a) && isLimit(b)) || (counter(b) && isLimit(a));
  }

  private static boolean isPower(Expr expr) {
    return expr instanceof Expr.Const(long value) && Long.bitCount(value) == 1;
  }

  /** A power of two of many bits, or one less. */
  private static boolean isLimit(Expr expr) {
    return expr instanceof Expr.Const(long value)
        && Long.SIZE - Long.numberOfLeadingZeros(value) >= BITS
        && (Long.bitCount(value) == 1 || Long.bitCount(value + 1) == 1);
  }
}
