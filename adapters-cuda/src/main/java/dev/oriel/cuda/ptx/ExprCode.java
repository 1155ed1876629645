package dev.oriel.cuda.ptx;

import dev.oriel.domain.program.Cond;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Operator;
import dev.oriel.domain.window.Comparison;
import java.util.LinkedHashMap;
import java.util.Map;

/** Operands in registers. Its meaning is that of the domain's evaluator, bit for bit. */
final class ExprCode {
  private final Ptx ptx;
  private final Map<String, String> names = new LinkedHashMap<>();

  ExprCode(Ptx ptx) {
    this.ptx = ptx;
  }

  /** The register that holds a name; the first mention makes it. */
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
      case MOD, DIV, CEIL -> {
        if (right instanceof Expr.Const(long d) && Long.bitCount(d) == 1 && d > 0) {
          divideByPower(operator, result, a, d);
        } else {
          divide(operator, result, literal(a), literal(b));
        }
      }
    }
    return result;
  }

  /** Some instructions take no literal. */
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

  private void divideByPower(Operator operator, String result, String a, long divisor) {
    int shift = Long.numberOfTrailingZeros(divisor);
    switch (operator) {
      case MOD -> ptx.op("and.b64 %s, %s, %s", result, a, Long.toString(divisor - 1));
      case DIV -> ptx.op("shr.s64 %s, %s, %d", result, literal(a), shift);
      default -> {
        ptx.op("neg.s64 %s, %s", result, literal(a));
        ptx.op("shr.s64 %s, %s, %d", result, result, shift);
        ptx.op("neg.s64 %s, %s", result, result);
      }
    }
  }

  /**
   * Nearly always both are numbers of 32 bits and the divisor is positive: such a division costs a
   * fraction of a longer one. The way is the same in all threads that have the same operands.
   */
  private void divide(Operator operator, String result, String a, String b) {
    String wide = ptx.label("wide");
    String end = ptx.label("divided");
    String left = ptx.half();
    String same = ptx.word();
    String large = ptx.predicate();
    ptx.op("cvt.u32.u64 %s, %s", left, a);
    ptx.op("cvt.s64.s32 %s, %s", same, left);
    ptx.op("setp.ne.s64 %s, %s, %s", large, same, a);
    ptx.op("setp.gt.or.u64 %s, %s, %d, %s", large, b, Integer.MAX_VALUE, large);
    ptx.opIf(large, "bra %s", wide);
    narrow(operator, result, left, b);
    ptx.op("bra %s", end);
    ptx.place(wide);
    wide(operator, result, a, b);
    ptx.place(end);
  }

  private void narrow(Operator operator, String result, String left, String b) {
    String right = ptx.half();
    String quotient = ptx.half();
    String rest = ptx.half();
    String off = ptx.predicate();
    ptx.op("cvt.u32.u64 %s, %s", right, b);
    ptx.op("div.s32 %s, %s, %s", quotient, left, right);
    ptx.op("mul.lo.s32 %s, %s, %s", rest, quotient, right);
    ptx.op("sub.s32 %s, %s, %s", rest, left, rest);
    ptx.op("setp.%s.s32 %s, %s, 0", operator == Operator.CEIL ? "gt" : "lt", off, rest);
    switch (operator) {
      case MOD -> ptx.opIf(off, "add.s32 %s, %s, %s", rest, rest, right);
      case CEIL -> ptx.opIf(off, "add.s32 %s, %s, 1", quotient, quotient);
      default -> ptx.opIf(off, "add.s32 %s, %s, -1", quotient, quotient);
    }
    ptx.op("cvt.s64.s32 %s, %s", result, operator == Operator.MOD ? rest : quotient);
  }

  /**
   * The floored quotient is one less than the truncated one where signs differ and a rest is left;
   * the floored rest is the divisor more.
   */
  private void wide(Operator operator, String result, String a, String b) {
    String left = a;
    if (operator == Operator.CEIL) {
      left = ptx.word();
      ptx.op("neg.s64 %s, %s", left, a);
    }
    String quotient = ptx.word();
    String rest = ptx.word();
    String signs = ptx.word();
    String some = ptx.predicate();
    String floors = ptx.predicate();
    ptx.op("div.s64 %s, %s, %s", quotient, left, b);
    ptx.op("mul.lo.s64 %s, %s, %s", rest, quotient, b);
    ptx.op("sub.s64 %s, %s, %s", rest, left, rest);
    ptx.op("xor.b64 %s, %s, %s", signs, rest, b);
    ptx.op("setp.ne.s64 %s, %s, 0", some, rest);
    ptx.op("setp.lt.and.s64 %s, %s, 0, %s", floors, signs, some);
    if (operator == Operator.MOD) {
      ptx.opIf(floors, "add.s64 %s, %s, %s", rest, rest, b);
      ptx.op("mov.b64 %s, %s", result, rest);
    } else {
      ptx.opIf(floors, "add.s64 %s, %s, -1", quotient, quotient);
      ptx.op(operator == Operator.CEIL ? "neg.s64 %s, %s" : "mov.b64 %s, %s", result, quotient);
    }
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
