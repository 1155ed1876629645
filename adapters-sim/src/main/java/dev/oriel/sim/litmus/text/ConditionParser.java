package dev.oriel.sim.litmus.text;

import dev.oriel.sim.litmus.test.LitmusCondition;
import dev.oriel.sim.litmus.test.ValueComparison;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Reads formulas over final values. Operators in order of precedence, the tightest first: {@code
 * not}, implication, and, or. This follows herd; elsewhere, implication usually binds weakest.
 */
final class ConditionParser {
  private static final int MAX_DEPTH = 64;

  private final LexemeCursor lexemes;
  private final LocationTable locations;
  private final Set<Integer> threads;
  private final ValueTypes types;

  ConditionParser(
      LexemeCursor lexemes, LocationTable locations, Set<Integer> threads, ValueTypes types) {
    this.lexemes = lexemes;
    this.locations = locations;
    this.threads = threads;
    this.types = types;
  }

  LitmusCondition parse() {
    return any(0);
  }

  private LitmusCondition implied(int depth) {
    bound(depth);
    LitmusCondition first = unary(depth);
    return lexemes.accept("=>")
        ? new LitmusCondition.Any(List.of(new LitmusCondition.Not(first), implied(depth + 1)))
        : first;
  }

  private void bound(int depth) {
    if (depth == MAX_DEPTH) {
      throw new LitmusException(
          "condition too deep",
          lexemes.peek().position(),
          lexemes.peek().shown(),
          "at most " + MAX_DEPTH + " levels");
    }
  }

  private LitmusCondition any(int depth) {
    List<LitmusCondition> parts = new ArrayList<>();
    do {
      parts.add(all(depth));
    } while (lexemes.accept("\\/"));
    return parts.size() == 1 ? parts.getFirst() : new LitmusCondition.Any(List.copyOf(parts));
  }

  private LitmusCondition all(int depth) {
    List<LitmusCondition> parts = new ArrayList<>();
    do {
      parts.add(implied(depth));
    } while (lexemes.accept("/\\"));
    return parts.size() == 1 ? parts.getFirst() : new LitmusCondition.All(List.copyOf(parts));
  }

  private LitmusCondition unary(int depth) {
    bound(depth);
    if (lexemes.accept("~") || lexemes.accept("not")) {
      return new LitmusCondition.Not(unary(depth + 1));
    }
    if (lexemes.accept("(")) {
      LitmusCondition inner = any(depth + 1);
      Lexeme end = lexemes.next();
      if (!end.is(")")) {
        throw end.unexpected("')', '/\\' or '\\/'");
      }
      return inner;
    }
    if (lexemes.accept("true")) {
      return LitmusCondition.All.NOTHING;
    }
    if (lexemes.accept("false")) {
      return new LitmusCondition.Not(LitmusCondition.All.NOTHING);
    }
    LitmusCondition.Term a = term();
    ValueComparison comparison = comparison();
    return new LitmusCondition.Compare(comparison, a, term());
  }

  private ValueComparison comparison() {
    Lexeme sign = lexemes.next();
    for (ValueComparison comparison : ValueComparison.values()) {
      if (sign.is(comparison.sign())) {
        return types.compared(comparison);
      }
    }
    if (sign.is("=")) {
      return ValueComparison.EQ;
    }
    throw sign.unexpected("==, !=, <, <=, > or >=");
  }

  private LitmusCondition.Term term() {
    if (lexemes.isNumber() && !lexemes.peek(1).is(":")) {
      return new LitmusCondition.Term.Constant(types.held(lexemes.number("a number")));
    }
    return new LitmusCondition.Term.Final(variable());
  }

  LitmusCondition.Variable variable() {
    Lexeme start = lexemes.peek();
    if (lexemes.peek(1).is(":")) {
      int thread = InitParser.threadNumber(lexemes);
      if (!threads.contains(thread)) {
        throw start.unexpected("a thread of the table");
      }
      lexemes.expect(":");
      return new LitmusCondition.Variable.Register(thread, lexemes.word("a register"));
    }
    boolean bracket = lexemes.accept("[");
    Lexeme name = lexemes.peek();
    lexemes.word("a register such as P0:r1, a location, a number or a bracket");
    if (bracket) {
      lexemes.expect("]");
    }
    return new LitmusCondition.Variable.Memory(locations.index(name));
  }
}
