package dev.oriel.domain.hook;

import static dev.oriel.domain.hook.HookParser.located;

import dev.oriel.domain.data.DataType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads expressions by precedence climbing; nesting is bounded as it is in a {@link Hook}. */
final class HookExprParser {

  private static final String OPERAND = "an operand such as in0, i, rank or 1.0:f32";

  private static final List<String> FUNCTIONS =
      List.of("neg", "abs", "not", "min", "max", "fma", "select");

  private final HookTokens tokens;
  private final List<HookSource> sources;
  private int depth;

  HookExprParser(HookTokens tokens, List<HookSource> sources) {
    this.tokens = tokens;
    this.sources = sources;
  }

  HookExpr expression() {
    return infix(1);
  }

  private HookExpr infix(int least) {
    HookExpr left = operand();
    while (true) {
      Optional<BinaryOp> op = infixAt(tokens.peek(), least);
      if (op.isEmpty()) {
        return left;
      }
      HookToken sign = tokens.take();
      HookExpr begun = left;
      HookExpr right = infix(op.get().precedence() + 1);
      left = located(sign, () -> begun.with(op.get(), right));
    }
  }

  private static Optional<BinaryOp> infixAt(HookToken token, int least) {
    for (BinaryOp op : BinaryOp.values()) {
      if (op.isInfix() && op.precedence() >= least && token.is(op.symbol())) {
        return Optional.of(op);
      }
    }
    return Optional.empty();
  }

  private HookExpr operand() {
    HookToken token = tokens.take();
    if (++depth > Hook.MAX_DEPTH) {
      throw new HookSyntaxException(
          "hook expression too deep", "deepest=" + Hook.MAX_DEPTH, "split the hook", token);
    }
    HookExpr value =
        switch (token.kind()) {
          case NUMBER -> constant("", token);
          case NAME -> named(token);
          case SIGN, END -> signed(token);
        };
    depth--;
    return value;
  }

  private HookExpr signed(HookToken token) {
    if (token.is("(")) {
      HookExpr inner = expression();
      tokens.expect(")");
      return inner;
    }
    if (token.is("-")
        && (tokens.peek().kind() == HookToken.Kind.NUMBER || tokens.peek().is("inf"))) {
      return constant("-", tokens.take());
    }
    throw tokens.unexpected(token, OPERAND);
  }

  private HookExpr constant(String sign, HookToken digits) {
    tokens.expect(":");
    DataType type = typeOf(tokens.expect(HookToken.Kind.NAME, "a type such as f32"));
    return located(digits, () -> HookLiterals.constant(sign, digits, type));
  }

  private DataType typeOf(HookToken name) {
    return DataType.ofSymbol(name.text())
        .orElseThrow(() -> tokens.unexpected(name, "a type such as f32"));
  }

  /** The type that a name converts to, which is no function of the language. */
  private DataType conversion(HookToken name) {
    List<String> known = new ArrayList<>(FUNCTIONS);
    for (DataType type : DataType.values()) {
      known.add(type.symbol());
    }
    return DataType.ofSymbol(name.text())
        .orElseThrow(() -> tokens.unknown(name, known, "a function such as max, or a type"));
  }

  private HookExpr named(HookToken name) {
    if (HookLiterals.isSource(name)) {
      return source(name);
    }
    if (tokens.peek().is("(")) {
      return call(name);
    }
    if (name.is("i")) {
      return HookExpr.index();
    }
    if (name.is("nan") || name.is("inf")) {
      return constant("", name);
    }
    for (ContextField field : ContextField.values()) {
      if (name.is(field.symbol())) {
        return HookExpr.field(field);
      }
    }
    throw tokens.unknown(name, operands(), OPERAND);
  }

  /** The names of operands, in a fixed order. */
  private List<String> operands() {
    List<String> names = new ArrayList<>(List.of("i", "nan", "inf"));
    for (ContextField field : ContextField.values()) {
      names.add(field.symbol());
    }
    for (int k = 0; k < sources.size(); k++) {
      names.add("in" + k);
    }
    return names;
  }

  private HookExpr source(HookToken name) {
    int source = HookLiterals.sourceNumber(name);
    if (source >= sources.size()) {
      throw new HookSyntaxException(
          "undeclared source", "found=" + name.shown(), "declare it before the arrow", name);
    }
    return located(name, () -> HookExpr.in(source, sources.get(source).type()));
  }

  private HookExpr call(HookToken name) {
    tokens.expect("(");
    HookExpr first = expression();
    HookExpr value =
        switch (name.text()) {
          case "neg" -> located(name, () -> first.with(UnaryOp.NEG));
          case "abs" -> located(name, () -> first.with(UnaryOp.ABS));
          case "not" -> located(name, () -> first.with(UnaryOp.NOT));
          case "min" -> binary(name, BinaryOp.MIN, first);
          case "max" -> binary(name, BinaryOp.MAX, first);
          case "fma" -> fma(name, first);
          case "select" -> select(name, first);
          default -> new HookExpr.Cvt(conversion(name), first);
        };
    tokens.expect(")");
    return value;
  }

  private HookExpr binary(HookToken name, BinaryOp op, HookExpr left) {
    HookExpr right = next();
    return located(name, () -> left.with(op, right));
  }

  private HookExpr fma(HookToken name, HookExpr a) {
    HookExpr b = next();
    HookExpr c = next();
    return located(name, () -> HookExpr.fma(a, b, c));
  }

  private HookExpr select(HookToken name, HookExpr left) {
    Relation relation = relation();
    HookExpr right = expression();
    HookExpr then = next();
    HookExpr otherwise = next();
    return located(name, () -> HookExpr.select(left, relation, right, then, otherwise));
  }

  private Relation relation() {
    HookToken sign = tokens.take();
    for (Relation relation : Relation.values()) {
      if (sign.is(relation.symbol())) {
        return relation;
      }
    }
    throw tokens.unexpected(sign, "a comparison such as <");
  }

  private HookExpr next() {
    tokens.expect(",");
    return expression();
  }
}
