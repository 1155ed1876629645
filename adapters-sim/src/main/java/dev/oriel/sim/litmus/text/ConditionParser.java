package dev.oriel.sim.litmus.text;

import dev.oriel.sim.litmus.test.Comparison;
import dev.oriel.sim.litmus.test.Condition;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Reads formulas over final values. Operators in order of precedence, the tightest first: {@code
 * not}, implication, and, or. This follows herd; elsewhere, implication usually binds weakest.
 */
final class ConditionParser {
  private static final int MAX_DEPTH = 64;

  private final Lexemes lexemes;
  private final LocationTable locations;
  private final Set<Integer> threads;
  private final ValueTypes types;

  ConditionParser(
      Lexemes lexemes, LocationTable locations, Set<Integer> threads, ValueTypes types) {
    this.lexemes = lexemes;
    this.locations = locations;
    this.threads = threads;
    this.types = types;
  }

  Condition parse() {
    return any(0);
  }

  private Condition implied(int depth) {
    bound(depth);
    Condition first = unary(depth);
    return lexemes.accept("=>")
        ? new Condition.Any(List.of(new Condition.Not(first), implied(depth + 1)))
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

  private Condition any(int depth) {
    List<Condition> parts = new ArrayList<>();
    do {
      parts.add(all(depth));
    } while (lexemes.accept("\\/"));
    return parts.size() == 1 ? parts.getFirst() : new Condition.Any(List.copyOf(parts));
  }

  private Condition all(int depth) {
    List<Condition> parts = new ArrayList<>();
    do {
      parts.add(implied(depth));
    } while (lexemes.accept("/\\"));
    return parts.size() == 1 ? parts.getFirst() : new Condition.All(List.copyOf(parts));
  }

  private Condition unary(int depth) {
    bound(depth);
    if (lexemes.accept("~") || lexemes.accept("not")) {
      return new Condition.Not(unary(depth + 1));
    }
    if (lexemes.accept("(")) {
      Condition inner = any(depth + 1);
      Lexeme end = lexemes.next();
      if (!end.is(")")) {
        throw end.unexpected("')', '/\\' or '\\/'");
      }
      return inner;
    }
    if (lexemes.accept("true")) {
      return Condition.All.NOTHING;
    }
    if (lexemes.accept("false")) {
      return new Condition.Not(Condition.All.NOTHING);
    }
    Condition.Term a = term();
    Comparison comparison = comparison();
    return new Condition.Compare(comparison, a, term());
  }

  private Comparison comparison() {
    Lexeme sign = lexemes.next();
    for (Comparison comparison : Comparison.values()) {
      if (sign.is(comparison.sign())) {
        return types.compared(comparison);
      }
    }
    if (sign.is("=")) {
      return Comparison.EQ;
    }
    throw sign.unexpected("==, !=, <, <=, > or >=");
  }

  private Condition.Term term() {
    if (lexemes.isNumber() && !lexemes.peek(1).is(":")) {
      return new Condition.Term.Constant(types.held(lexemes.number("a number")));
    }
    return new Condition.Term.Final(variable());
  }

  Condition.Variable variable() {
    Lexeme start = lexemes.peek();
    if (lexemes.peek(1).is(":")) {
      int thread = InitParser.threadNumber(lexemes);
      if (!threads.contains(thread)) {
        throw start.unexpected("a thread of the table");
      }
      lexemes.expect(":");
      return new Condition.Variable.Register(thread, lexemes.word("a register"));
    }
    boolean bracket = lexemes.accept("[");
    Lexeme name = lexemes.peek();
    lexemes.word("a register such as P0:r1, a location, a number or a bracket");
    if (bracket) {
      lexemes.expect("]");
    }
    return new Condition.Variable.Memory(locations.index(name));
  }
}
