package dev.oriel.domain.binding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.measure.Sampled;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.FormPrinter;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.program.Operator;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.parse.FormParser;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.statistics.Statistics;

/** What is proved of quotients, shifts and masks holds for all values of their operands. */
class VariablePartsProperties {
  private static final List<Operator> OPERATORS =
      List.of(
          Operator.DIV,
          Operator.DIV,
          Operator.CEIL,
          Operator.MUL,
          Operator.MUL,
          Operator.SHL,
          Operator.SHR,
          Operator.AND,
          Operator.MIN,
          Operator.MAX,
          Operator.ADD,
          Operator.MOD);

  private static final long[] NUMBERS = {
    0, 1, 2, 3, 8, 12, 56, 64, -1, -8, 1L << 62, Long.MIN_VALUE
  };

  /** Factors that are, may be, or are not less than k. */
  private static final List<Expr> FACTORS =
      List.of(
          Expr.name("c"),
          Expr.name("c").plus(1),
          Expr.name("k").minus(1),
          Expr.name("k"),
          new Expr.Binary(Operator.MIN, Expr.name("t"), Expr.name("k")),
          new Expr.Binary(Operator.MIN, Expr.name("t"), Expr.name("c")),
          new Expr.Binary(Operator.AND, Expr.name("c"), Expr.name("s")),
          Expr.name("s"));

  private static final long[] WORDS = {0, 1, 7, 63, 64, -1, -8, 1L << 61, Long.MIN_VALUE};

  @Property(tries = 8_000)
  @Sampled(every = 4)
  void anAcceptedPlaceIsInsideForAllValues(
      @ForAll Random random, @ForAll @LongRange(min = 0, max = 3) long width) {
    int bytes = 1 << width;
    Expr place = random.nextBoolean() ? parts(random, bytes) : expr(random, 3);
    String store = "store q[%s] width %d <- 1".formatted(FormPrinter.print(place), bytes);
    Program program;
    try {
      program =
          Program.bind(FormParser.parse(VariablePartsTest.FORM.formatted(store)), 1, Map.of());
    } catch (ProgramException refused) {
      accepted(false);
      return;
    }
    accepted(true);
    for (long c = 0; c <= 7; c++) {
      for (long k = c + 1; k <= 8; k++) {
        for (long s = 0; s <= 3; s++) {
          for (long t : WORDS) {
            long at = value(place, Map.of("c", c, "k", k, "s", s, "t", t));
            assertThat(at)
                .as("%s with c=%d, k=%d, s=%d, t=%d", store, c, k, s, t)
                .isBetween(0L, 64L - bytes)
                .matches(offset -> offset % bytes == 0, "is aligned");
          }
        }
      }
    }
    assertThat(program.form().lanes().getFirst().body().getLast()).isInstanceOf(Op.If.class);
  }

  /** A property of refused places shows nothing, so enough of them must be accepted. */
  private static void accepted(boolean accepted) {
    Statistics.label("accepted")
        .collect(accepted)
        .coverage(all -> all.check(true).percentage(share -> share > 10));
  }

  /** A place that some factor takes among the parts of a whole of about 64 bytes. */
  private static Expr parts(Random random, int bytes) {
    long whole = 64L / bytes + random.nextInt(4) / 2 - random.nextInt(4) / 3;
    Expr quotient = new Expr.Binary(Operator.DIV, Expr.of(whole), Expr.name("k"));
    Expr factor = FACTORS.get(random.nextInt(FACTORS.size()));
    Expr product =
        random.nextBoolean()
            ? new Expr.Binary(Operator.MUL, factor, quotient)
            : new Expr.Binary(Operator.MUL, quotient, factor);
    return new Expr.Binary(Operator.MUL, product, Expr.of(bytes));
  }

  private static long value(Expr place, Map<String, Long> names) {
    return ExprEvaluator.value(place, names::get);
  }

  private static Expr expr(Random random, int depth) {
    if (depth == 0 || random.nextInt(4) == 0) {
      return random.nextInt(3) == 0
          ? Expr.of(NUMBERS[random.nextInt(NUMBERS.length)])
          : Expr.name(List.of("c", "k", "s", "t", "c", "k").get(random.nextInt(6)));
    }
    Operator operator = OPERATORS.get(random.nextInt(OPERATORS.size()));
    return new Expr.Binary(operator, expr(random, depth - 1), expr(random, depth - 1));
  }
}
