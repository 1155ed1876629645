package dev.oriel.domain.boundary;

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
  /** A literal of so many bits is a mask or a limit of a counter, rather than a size. */
  private static final int BITS = 16;

  private boolean counts;
  private boolean near;
  private final Set<String> counters = new TreeSet<>();

  private NearWraps() {}

  /** Whether lanes count launches, or keep words across launches. */
  public static boolean counts(Form form) {
    return of(form).counts;
  }

  /**
   * Whether the text contains what makes a mistake at a wrap likely: a counter modulo a number that
   * is no power of two, or a mask or limit of many bits.
   */
  public static boolean likely(Form form) {
    return of(form).near;
  }

  private static NearWraps of(Form form) {
    NearWraps all = new NearWraps();
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
                expression(expr);
              }
              return value;
            }
          });
      PartTraversal.blocks(op).forEach(this::ops);
    }
  }

  private boolean counter(Expr expr) {
    return counters.stream().anyMatch(name -> ExprEdits.uses(expr, name));
  }

  private void expression(Expr expr) {
    counts |= counter(expr);
    near |= ExprEdits.sum(expr, each -> wraps(each) ? 1 : 0) > 0;
  }

  private boolean wraps(Expr expr) {
    return switch (expr) {
      case Expr.Const(long value) -> isLimit(value);
      case Expr.Binary(Operator operator, Expr left, Expr right)
          when operator == Operator.MOD || operator == Operator.DIV ->
          counter(left) && !(right instanceof Expr.Const(long value) && Long.bitCount(value) == 1);
      default -> false;
    };
  }

  /** A power of two, or one less. */
  private static boolean isLimit(long value) {
    return Long.SIZE - Long.numberOfLeadingZeros(value) >= BITS
        && (Long.bitCount(value) == 1 || Long.bitCount(value + 1) == 1);
  }
}
