package dev.oriel.domain.hook;

import dev.oriel.domain.data.Conversion;
import dev.oriel.domain.data.DataType;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The value of one output element; ill-typed expressions cannot be built.
 *
 * <p>Operands are computed in INT32, INT64, FP32 or FP64, both of the same type. Narrower ones must
 * be converted explicitly first, with {@link Conversion}'s rules. Operations run as written, each
 * rounded once; nothing is reordered, and only {@link Fma} is fused.
 */
public sealed interface HookExpr {

  /** The static type of the value. */
  DataType type();

  /** A constant pattern; a NaN is the canonical one. */
  record Const(DataType type, long pattern) implements HookExpr {
    public Const {
      pattern =
          Conversion.isNan(type, pattern) ? Conversion.canonicalNan(type) : type.wrap(pattern);
    }
  }

  /** The element that source number {@code source} has for this output element. */
  record In(DataType type, int source) implements HookExpr {
    public In {
      if (source < 0 || source >= Hook.MAX_SOURCES) {
        throw new IllegalArgumentException(
            "no such source: source=%d, most=%d; number sources from 0"
                .formatted(source, Hook.MAX_SOURCES));
      }
    }
  }

  /** The output element's index in the whole transfer, an INT64. */
  record Index() implements HookExpr {
    @Override
    public DataType type() {
      return DataType.INT64;
    }
  }

  /** A field of the context, an INT64. */
  record Field(ContextField field) implements HookExpr {
    @Override
    public DataType type() {
      return DataType.INT64;
    }
  }

  /** An operation on one operand. */
  record Unary(DataType type, UnaryOp op, HookExpr value) implements HookExpr {
    public Unary {
      HookTyping.requireArithmetic(value);
      if (op.isBitwise()) {
        HookTyping.requireInteger(value);
      }
      HookTyping.requireType(value, type);
    }
  }

  /** An operation on two operands of one type. */
  record Binary(DataType type, BinaryOp op, HookExpr left, HookExpr right) implements HookExpr {
    public Binary {
      HookTyping.requireArithmetic(left);
      if (op.isIntegersOnly()) {
        HookTyping.requireInteger(left);
      }
      HookTyping.requireType(left, type);
      HookTyping.requireType(right, type);
    }
  }

  /** {@code a * b + c} with one rounding, FP32 or FP64. */
  record Fma(DataType type, HookExpr a, HookExpr b, HookExpr c) implements HookExpr {
    public Fma {
      HookTyping.requireFloat(a);
      HookTyping.requireType(a, type);
      HookTyping.requireType(b, type);
      HookTyping.requireType(c, type);
    }
  }

  /** {@code then} where the relation holds, else {@code otherwise}; both are computed. */
  record Select(
      DataType type,
      Relation relation,
      HookExpr left,
      HookExpr right,
      HookExpr then,
      HookExpr otherwise)
      implements HookExpr {
    public Select {
      HookTyping.requireArithmetic(left);
      HookTyping.requireType(right, left.type());
      HookTyping.requireType(then, type);
      HookTyping.requireType(otherwise, type);
    }
  }

  /** The value converted to a type; to its own type, unchanged. */
  record Cvt(DataType type, HookExpr value) implements HookExpr {}

  /**
   * Reads one expression over sources of those types.
   *
   * @throws HookSyntaxException with the line and column of the first error
   */
  static HookExpr parse(String text, List<DataType> sources) {
    return HookParser.value(new HookTokens(text), sources.stream().map(HookSource::of).toList());
  }

  /** The element of a source. */
  static HookExpr in(int source, DataType type) {
    return new In(type, source);
  }

  /** A constant: the value rounded to a floating-point type, truncated to an integer type. */
  static HookExpr constant(DataType type, double value) {
    return new Const(type, Conversion.ofDouble(type, value));
  }

  /** A context field. */
  static HookExpr field(ContextField field) {
    return new Field(field);
  }

  /** The output element's index. */
  static HookExpr index() {
    return new Index();
  }

  /** {@code a * b + c} with one rounding. */
  static HookExpr fma(HookExpr a, HookExpr b, HookExpr c) {
    return new Fma(a.type(), a, b, c);
  }

  /** {@code then} where {@code left relation right}, else {@code otherwise}. */
  static HookExpr select(
      HookExpr left, Relation relation, HookExpr right, HookExpr then, HookExpr otherwise) {
    return new Select(then.type(), relation, left, right, then, otherwise);
  }

  /** This value combined with one more operand. */
  default HookExpr with(BinaryOp op, HookExpr right) {
    return new Binary(type(), op, this, right);
  }

  /** The operation applied to this value. */
  default HookExpr with(UnaryOp op) {
    return new Unary(type(), op, this);
  }

  /** Sum. */
  default HookExpr plus(HookExpr right) {
    return with(BinaryOp.ADD, right);
  }

  /** Difference. */
  default HookExpr minus(HookExpr right) {
    return with(BinaryOp.SUB, right);
  }

  /** Product. */
  default HookExpr times(HookExpr right) {
    return with(BinaryOp.MUL, right);
  }

  /** Quotient. */
  default HookExpr over(HookExpr right) {
    return with(BinaryOp.DIV, right);
  }

  /** This value converted, unless it has that type. */
  default HookExpr to(DataType type) {
    return type() == type ? this : new Cvt(type, this);
  }

  /** The expressions that this one is computed from, in text order. */
  default List<HookExpr> operands() {
    return switch (this) {
      case Const _, In _, Index _, Field _ -> List.of();
      case Unary unary -> List.of(unary.value);
      case Cvt cvt -> List.of(cvt.value);
      case Binary binary -> List.of(binary.left, binary.right);
      case Fma fma -> List.of(fma.a, fma.b, fma.c);
      case Select select -> List.of(select.left, select.right, select.then, select.otherwise);
    };
  }

  /** The expression with every part replaced, innermost first; the types must stay. */
  default HookExpr replace(UnaryOperator<HookExpr> by) {
    HookExpr renewed =
        switch (this) {
          case Const _, In _, Index _, Field _ -> this;
          case Unary unary -> new Unary(unary.type, unary.op, unary.value.replace(by));
          case Cvt cvt -> new Cvt(cvt.type, cvt.value.replace(by));
          case Binary binary ->
              new Binary(binary.type, binary.op, binary.left.replace(by), binary.right.replace(by));
          case Fma fma ->
              new Fma(fma.type, fma.a.replace(by), fma.b.replace(by), fma.c.replace(by));
          case Select select ->
              new Select(
                  select.type,
                  select.relation,
                  select.left.replace(by),
                  select.right.replace(by),
                  select.then.replace(by),
                  select.otherwise.replace(by));
        };
    return by.apply(renewed);
  }

  /**
   * This value, unless it is nested deeper or has more parts than a {@link Hook} allows. Call it
   * before anything traverses the expression, as comparing, hashing and replacing do.
   *
   * @throws IllegalArgumentException with the depth and the number of parts that were counted
   */
  default HookExpr bounded() {
    HookChecks.requireBounded(this);
    return this;
  }

  /** The readable form, which {@link Hook#parse} reads back inside a hook. */
  default String text() {
    return HookPrinter.print(bounded());
  }
}
