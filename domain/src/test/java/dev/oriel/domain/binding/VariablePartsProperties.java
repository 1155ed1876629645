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

  private static final long[] WORDS = {0, 1, 7, 63, 64, -1, -8, 1L << 61, Long.MIN_VALUE};

  @Property(tries = 8_000)
  @Sampled(every = 4)
  void anAcceptedPlaceIsInsideForAllValues(
      @ForAll Random random, @ForAll @LongRange(min = 0, max = 3) long width) {
    Expr place = expr(random, 3);
    int bytes = 1 << width;
    String store = "store q[%s] width %d <- 1".formatted(FormPrinter.print(place), bytes);
    Program program;
    try {
      program =
          Program.bind(FormParser.parse(VariablePartsTest.FORM.formatted(store)), 1, Map.of());
    } catch (ProgramException refused) {
      return;
    }
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
