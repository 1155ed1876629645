package dev.oriel.domain.program.parse;

import dev.oriel.domain.program.Cond;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.FormPrinter;
import dev.oriel.domain.program.Mistake;
import dev.oriel.domain.program.Operator;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.SourcePositions;
import dev.oriel.domain.program.check.FormLimits;
import dev.oriel.domain.window.Comparison;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads operands and conditions, by precedence climbing. */
final class ExprParser {
  /** One more than the depth of an operand: a rank after @ may be in parentheses. */
  private static final int MAX_DEPTH = FormLimits.MAX_OPERAND_DEPTH + 1;

  private final TokenCursor tokens;
  private final SourcePositions source;
  private int depth;

  ExprParser(TokenCursor tokens, SourcePositions source) {
    this.tokens = tokens;
    this.source = source;
  }

  Expr expr() {
    return infix(1);
  }

  private Expr infix(int atLeast) {
    Expr left = primary();
    while (true) {
      FormToken sign = tokens.peek();
      Optional<Operator> found = operator(sign);
      if (found.isEmpty() || found.get().precedence() < atLeast) {
        return left;
      }
      Operator operator = found.get();
      tokens.next();
      Expr right = infix(operator.precedence() + 1);
      left = source.mark(new Expr.Binary(operator, left, right), sign.position());
    }
  }

  private static Optional<Operator> operator(FormToken sign) {
    for (Operator operator : Operator.values()) {
      if (operator.infix() && sign.is(operator.spelling())) {
        return Optional.of(operator);
      }
    }
    return Optional.empty();
  }

  Expr primary() {
    FormToken token = tokens.peek();
    if (depth == MAX_DEPTH) {
      throw tooDeep(token);
    }
    depth++;
    try {
      return source.mark(primary(token), token.position());
    } finally {
      depth--;
    }
  }

  private Expr primary(FormToken token) {
    if (token.kind() == FormToken.Kind.NUMBER || token.is("-")) {
      return new Expr.Const(tokens.number());
    }
    tokens.next();
    if (token.is("(")) {
      Expr inner = expr();
      tokens.expect(")");
      return inner;
    }
    return switch (token.text()) {
      case "min" -> call(Operator.MIN);
      case "max" -> call(Operator.MAX);
      case "ceil" -> call(Operator.CEIL);
      case "nz32" -> {
        tokens.expect("(");
        Expr counter = expr();
        tokens.expect(")");
        yield new Expr.NonZero32(counter);
      }
      // A step is a field in the maps of hooks; elsewhere it is no known name.
      case "r", "n", "epoch", "step" -> new Expr.Name(token.text());
      default -> {
        if (token.kind() != FormToken.Kind.WORD || tokens.reserved(token)) {
          throw tokens.noName(token, "a number, a name, (, min, max, ceil or nz32");
        }
        yield new Expr.Name(token.text());
      }
    };
  }

  private Expr call(Operator operator) {
    tokens.expect("(");
    Expr left = expr();
    tokens.expect(",");
    Expr right = expr();
    tokens.expect(")");
    return new Expr.Binary(operator, left, right);
  }

  Cond cond() {
    List<Cond.Term> terms = new ArrayList<>();
    do {
      Expr left = expr();
      Comparison comparison = comparison();
      terms.add(new Cond.Term(left, comparison, expr()));
    } while (tokens.accept("and"));
    return new Cond(terms);
  }

  Comparison comparison() {
    FormToken sign = tokens.next();
    for (Comparison comparison : Comparison.values()) {
      if (sign.is(FormPrinter.print(comparison))) {
        return comparison;
      }
    }
    throw tokens.unexpected(sign, List.of("==", "!=", "<", "<=", ">", ">=", "reached"));
  }

  private static ProgramException tooDeep(FormToken token) {
    return new ProgramException(
        Mistake.at(
            token.position(),
            "operand too large",
            "max depth=" + FormLimits.MAX_OPERAND_DEPTH,
            "name a part of it with let"));
  }
}
