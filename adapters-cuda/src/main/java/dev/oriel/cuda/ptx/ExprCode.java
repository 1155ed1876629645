package dev.oriel.cuda.ptx;

import dev.oriel.domain.program.Cond;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Operator;
import dev.oriel.domain.window.Comparison;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Generates the values of expressions in registers, equal to the domain's evaluator bit for bit.
 */
final class ExprCode {
  private final PtxBuilder ptx;
  private final DivisionCode division;
  private final Map<String, String> names = new LinkedHashMap<>();

  ExprCode(PtxBuilder ptx) {
    this.ptx = ptx;
    division = new DivisionCode(ptx);
  }

  /** The register that holds a name; the first use declares it. */
  String register(String name) {
    return names.computeIfAbsent(name, n -> ptx.word());
  }

  /** The register, or literal, that holds an operand. */
  String of(Expr expr) {
    return switch (expr) {
      case Expr.Const(long value) -> Long.toString(value);
      case Expr.Name(String name) -> register(name);
      case Expr.NonZero32(Expr counter) -> nonZero(of(counter));
      case Expr.Binary(Operator operator, Expr left, Expr right) ->
          binary(operator, of(left), of(right), right);
    };
  }

  private String nonZero(String counter) {
    String low = ptx.word();
    String zero = ptx.predicate();
    ptx.op("and.b64 %s, %s, 0xFFFFFFFF", low, counter);
    ptx.op("setp.eq.u64 %s, %s, 0", zero, low);
    ptx.opIf(zero, "mov.b64 %s, 0x80000000", low);
    return low;
  }

  private String binary(Operator operator, String a, String b, Expr right) {
    String result = ptx.word();
    switch (operator) {
      case ADD -> ptx.op("add.s64 %s, %s, %s", result, a, b);
      case SUB -> ptx.op("sub.s64 %s, %s, %s", result, a, b);
      case MUL -> ptx.op("mul.lo.s64 %s, %s, %s", result, a, b);
      case AND -> ptx.op("and.b64 %s, %s, %s", result, a, b);
      case OR -> ptx.op("or.b64 %s, %s, %s", result, a, b);
      case XOR -> ptx.op("xor.b64 %s, %s, %s", result, a, b);
      case MIN -> ptx.op("min.u64 %s, %s, %s", result, a, b);
      case MAX -> ptx.op("max.u64 %s, %s, %s", result, a, b);
      case SHL -> shift("shl.b64", result, a, b);
      case SHR -> shift("shr.u64", result, a, b);
      case MOD -> {
        if (right instanceof Expr.Const(long d) && Long.bitCount(d) == 1 && d > 0) {
          ptx.op("and.b64 %s, %s, %s", result, a, Long.toString(d - 1));
        } else {
          division.rest(result, literal(a), literal(b));
        }
      }
      case DIV -> division.floor(result, literal(a), literal(b));
      case CEIL -> division.ceil(result, literal(a), literal(b));
    }
    return result;
  }

  /** A register with the operand, for instructions that take no literal. */
  private String literal(String operand) {
    if (operand.startsWith("%")) {
      return operand;
    }
    String register = ptx.word();
    ptx.op("mov.b64 %s, %s", register, operand);
    return register;
  }

  private void shift(String instruction, String result, String a, String b) {
    String bounded = ptx.word();
    String count = ptx.half();
    ptx.op("min.u64 %s, %s, 64", bounded, literal(b));
    ptx.op("cvt.u32.u64 %s, %s", count, bounded);
    ptx.op("%s %s, %s, %s", instruction, result, literal(a), count);
  }

  /** A predicate that is true when the condition holds. */
  String holds(Cond condition) {
    String all = "";
    for (Cond.Term term : condition.terms()) {
      String one = compare(term.comparison(), of(term.left()), of(term.right()));
      if (all.isEmpty()) {
        all = one;
      } else {
        String both = ptx.predicate();
        ptx.op("and.pred %s, %s, %s", both, all, one);
        all = both;
      }
    }
    return all;
  }

  String compare(Comparison comparison, String a, String b) {
    String result = ptx.predicate();
    String left = literal(a);
    switch (comparison) {
      case EQ -> ptx.op("setp.eq.u64 %s, %s, %s", result, left, b);
      case NE -> ptx.op("setp.ne.u64 %s, %s, %s", result, left, b);
      case LT -> ptx.op("setp.lt.u64 %s, %s, %s", result, left, b);
      case LE -> ptx.op("setp.le.u64 %s, %s, %s", result, left, b);
      case GT -> ptx.op("setp.gt.u64 %s, %s, %s", result, left, b);
      case GE -> ptx.op("setp.ge.u64 %s, %s, %s", result, left, b);
      case REACHED -> {
        String ahead = ptx.word();
        ptx.op("sub.s64 %s, %s, %s", ahead, left, b);
        ptx.op("setp.ge.s64 %s, %s, 0", result, ahead);
      }
    }
    return result;
  }
}
