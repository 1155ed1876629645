package dev.oriel.domain.program.parse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.domain.binding.ExprEvaluator;
import dev.oriel.domain.program.Cond;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.FormPrinter;
import dev.oriel.domain.program.FormTape;
import dev.oriel.domain.program.MistakeList;
import dev.oriel.domain.program.Operator;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.SourcePositions;
import dev.oriel.domain.window.Comparison;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Compares operands with exact integers that are cut to 64 bits after every operator. */
class ExprProperties {
  private static final BigInteger CIRCLE = BigInteger.ONE.shiftLeft(64);

  @Provide
  Arbitrary<Long> words() {
    return Arbitraries.oneOf(
        Arbitraries.longs(),
        Arbitraries.longs().between(-70, 70),
        Arbitraries.of(
            Long.MIN_VALUE, Long.MAX_VALUE, 1L << 32, 0xFFFF_FFFFL, 0xFFFF_FFFF_0000_0000L));
  }

  @Property(tries = 3000)
  void operatorsEqualExactArithmetic(
      @ForAll Operator operator, @ForAll("words") long a, @ForAll("words") long b) {
    Expr expr = new Expr.Binary(operator, Expr.name("a"), Expr.name("b"));
    if (b == 0 && List.of("/", "%", "ceil").contains(operator.spelling())) {
      assertThatThrownBy(() -> ExprEvaluator.value(expr, Map.of("a", a, "b", b)::get))
          .isInstanceOf(ProgramException.class)
          .hasMessage(
              "division by zero: operand="
                  + FormPrinter.print(expr)
                  + "; keep the divisor positive");
    } else {
      assertThat(ExprEvaluator.value(expr, Map.of("a", a, "b", b)::get))
          .isEqualTo(exact(operator, a, b));
    }
  }

  @Property(tries = 1000)
  void comparisonsAreUnsignedAndReachedWraps(@ForAll("words") long a, @ForAll("words") long b) {
    int order = unsigned(a).compareTo(unsigned(b));
    assertThat(holds(a, Comparison.EQ, b)).isEqualTo(order == 0);
    assertThat(holds(a, Comparison.NE, b)).isEqualTo(order != 0);
    assertThat(holds(a, Comparison.LT, b)).isEqualTo(order < 0);
    assertThat(holds(a, Comparison.LE, b)).isEqualTo(order <= 0);
    assertThat(holds(a, Comparison.GT, b)).isEqualTo(order > 0);
    assertThat(holds(a, Comparison.GE, b)).isEqualTo(order >= 0);
    BigInteger ahead = unsigned(a).subtract(unsigned(b)).mod(CIRCLE);
    assertThat(holds(a, Comparison.REACHED, b)).isEqualTo(ahead.bitLength() < 64);
  }

  @Property(tries = 1000)
  void packetFlagsAreTheLowHalfAndNeverZero(@ForAll("words") long counter) {
    long flag = ExprEvaluator.value(Expr.nz32(Expr.of(counter)), name -> 0);
    BigInteger low = unsigned(counter).mod(BigInteger.ONE.shiftLeft(32));
    assertThat(BigInteger.valueOf(flag))
        .isEqualTo(low.signum() == 0 ? BigInteger.ONE.shiftLeft(31) : low);
  }

  @Property(tries = 1000)
  void operandsMeanTheSameAfterPrintingAndParsing(
      @ForAll List<Integer> tape, @ForAll("words") long r, @ForAll("words") long n) {
    Expr expr = FormTape.operand(tape);
    Expr again = parsed(FormPrinter.print(expr));
    assertThat(again).isEqualTo(expr);
    assertThat(outcome(again, r, n)).isEqualTo(outcome(expr, r, n));
  }

  @Property(tries = 1000)
  void decimalsAndHexadecimalsOfOneWordAreTheSameAndArePrintedAsOne(@ForAll("words") long word) {
    Expr decimal = parsed(Long.toUnsignedString(word));
    assertThat(decimal)
        .isEqualTo(Expr.of(word))
        .isEqualTo(parsed("0x" + Long.toHexString(word)))
        .isEqualTo(parsed(Long.toString(word)));
    assertThat(parsed(FormPrinter.print(decimal))).isEqualTo(decimal);
  }

  @Property(tries = 1000)
  void everyOperatorAssociatesToTheLeftAndBindsByItsStrength(
      @ForAll("infix") Operator first,
      @ForAll("infix") Operator second,
      @ForAll("words") long a,
      @ForAll("words") long b,
      @ForAll("words") long c) {
    String text = "%d %s %d %s %d".formatted(a, first.spelling(), b, second.spelling(), c);
    boolean rightFirst = strength(second) > strength(first);
    Expr left = new Expr.Binary(first, Expr.of(a), Expr.of(b));
    Expr right = new Expr.Binary(second, Expr.of(b), Expr.of(c));
    assertThat(parsed(text))
        .isEqualTo(
            rightFirst
                ? new Expr.Binary(first, Expr.of(a), right)
                : new Expr.Binary(second, left, Expr.of(c)));
  }

  @Provide
  Arbitrary<Operator> infix() {
    return Arbitraries.of(
        Operator.OR,
        Operator.XOR,
        Operator.AND,
        Operator.SHL,
        Operator.SHR,
        Operator.ADD,
        Operator.SUB,
        Operator.MUL,
        Operator.DIV,
        Operator.MOD);
  }

  /** As in C, except that a comparison is not an operator. */
  private static int strength(Operator operator) {
    return List.of("|", "^", "&", "<< >>", "+ -", "* / %").stream()
        .filter(row -> List.of(row.split(" ")).contains(operator.spelling()))
        .mapToInt(row -> List.of("|", "^", "&", "<< >>", "+ -", "* / %").indexOf(row))
        .findFirst()
        .orElseThrow();
  }

  private static Expr parsed(String text) {
    MistakeList none = new MistakeList(m -> m);
    TokenCursor tokens = new TokenCursor(FormLexer.tokens(text, none), none);
    return new ExprParser(tokens, new SourcePositions()).expr();
  }

  private static String outcome(Expr expr, long r, long n) {
    try {
      return String.valueOf(ExprEvaluator.value(expr, Map.of("r", r, "n", n)::get));
    } catch (ProgramException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private static boolean holds(long a, Comparison comparison, long b) {
    return ExprEvaluator.holds(Cond.of(Expr.of(a), comparison, Expr.of(b)), name -> 0);
  }

  private static BigInteger unsigned(long word) {
    return BigInteger.valueOf(word).mod(CIRCLE);
  }

  private static long exact(Operator operator, long left, long right) {
    BigInteger a = BigInteger.valueOf(left);
    BigInteger b = BigInteger.valueOf(right);
    boolean shifts = right >= 0 && right <= 63;
    return switch (operator) {
      case OR -> a.or(b).longValue();
      case XOR -> a.xor(b).longValue();
      case AND -> a.and(b).longValue();
      case SHL -> shifts ? a.shiftLeft((int) right).longValue() : 0;
      case SHR -> shifts ? unsigned(left).shiftRight((int) right).longValue() : 0;
      case ADD -> a.add(b).longValue();
      case SUB -> a.subtract(b).longValue();
      case MUL -> a.multiply(b).longValue();
      case DIV -> floor(a, b).longValue();
      case MOD -> a.subtract(floor(a, b).multiply(b)).longValue();
      case MIN -> unsigned(left).min(unsigned(right)).longValue();
      case MAX -> unsigned(left).max(unsigned(right)).longValue();
      case CEIL -> floor(a.negate(), b).negate().longValue();
    };
  }

  private static BigInteger floor(BigInteger a, BigInteger b) {
    BigInteger[] parts = a.divideAndRemainder(b);
    boolean below = parts[1].signum() != 0 && parts[1].signum() != b.signum();
    return below ? parts[0].subtract(BigInteger.ONE) : parts[0];
  }
}
