package dev.oriel.domain.binding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.measure.Thorough;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.FormPrinter;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.parse.FormParser;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Compares the facts that conditions prove about accesses with every value of a set that contains
 * the ends of all ranges. An accepted access stays inside for each value, and most accesses that
 * stay inside are accepted.
 */
class ConditionProofsTest {
  private static final int PROGRAMS =
      Integer.getInteger("oriel.conditions.programs", Thorough.count(800, 8_000));
  private static final int SEED = Integer.getInteger("oriel.conditions.seed", 1);

  private static final String FORM =
      """
      form drawn
      input in[16]
      scratch a[64]
      lane l: sm(32) {
        state s
        load p <- in[0]
        load q <- in[8] <= 7 else 1
        let d = p - 3 * s
        BODY
      }
      """;

  /**
   * Small ones, those near the middle and the end of the circle, and those that wrap when
   * multiplied by 8.
   */
  private static final long[] WORDS =
      LongStream.concat(
              LongStream.rangeClosed(-10, 20),
              LongStream.of(0, 1L << 60, 1L << 61, 1L << 62, Long.MIN_VALUE)
                  .flatMap(middle -> LongStream.rangeClosed(middle - 2, middle + 2)))
          .toArray();

  private static final long[] STATES = {0, 1, 3, 7, 8, 9, 1L << 61, Long.MIN_VALUE, -1};

  private Random random = new Random(SEED);

  private record Outcome(int inside, int refused, int accepted) {}

  @Test
  void acceptedProgramsStayInBoundsAndFewOthersAreRejected() {
    Outcome simple = compare(0, "p");
    Outcome nested = compare(2, "p");
    // Of a sample the share is not that exact.
    int share = Thorough.ON ? 20 : 8;
    assertThat(simple.refused).as("%s", simple).isLessThan(simple.inside / share);
    assertThat(nested.refused).as("%s", nested).isLessThan(nested.inside / share);
  }

  /** A sum of two words wraps, so only a comparison of its name bounds it. */
  @Test
  void aNamedSumIsBoundedByComparisons() {
    Outcome simple = compare(0, "d");
    Outcome nested = compare(2, "d");
    assertThat(simple.refused).as("%s", simple).isLessThan(simple.inside / 4);
    assertThat(nested.refused).as("%s", nested).isLessThan(nested.inside / 4);
  }

  private Outcome compare(int depth, String word) {
    int inside = 0;
    int refused = 0;
    int accepted = 0;
    for (int i = 0; i < PROGRAMS / 2; i++) {
      random = new Random(SEED * 1_000_003L + 2L * i + Math.min(depth, 1));
      Form form =
          FormParser.parse(
              FORM.replace("BODY", (depth == 0 ? branch() : block(depth)).replace("p", word)));
      boolean binds = binds(form);
      boolean right = staysInside(form);
      assertThat(binds && !right).as("accepted, and leaves: %s", FormPrinter.print(form)).isFalse();
      inside += right ? 1 : 0;
      refused += right && !binds ? 1 : 0;
      accepted += binds ? 1 : 0;
      if (right && !binds && Boolean.getBoolean("oriel.conditions.print")) {
        System.out.println(FormPrinter.print(form));
      }
    }
    return new Outcome(inside, refused, accepted);
  }

  private static boolean binds(Form form) {
    try {
      Program.bind(form, 1, Map.of());
      return true;
    } catch (ProgramException refused) {
      return false;
    }
  }

  private static boolean staysInside(Form form) {
    List<Op> body = form.lanes().getFirst().body();
    Map<String, Long> names = new HashMap<>();
    for (long p : WORDS) {
      for (long q = 0; q < 8; q++) {
        for (long s : STATES) {
          names.put("p", p);
          names.put("q", q);
          names.put("s", s);
          names.put("d", p - 3 * s);
          if (!inside(body.subList(3, body.size()), names)) {
            return false;
          }
        }
      }
    }
    return true;
  }

  private static boolean inside(List<Op> block, Map<String, Long> names) {
    for (Op op : block) {
      boolean inside =
          switch (op) {
            case Op.If branch ->
                inside(
                    ExprEvaluator.holds(branch.condition(), names::get)
                        ? branch.then()
                        : branch.otherwise(),
                    names);
            case Op.Assign(var state, var value) -> {
              names.put(state, ExprEvaluator.value(value, names::get));
              yield true;
            }
            case Op.Store store -> {
              long offset = ExprEvaluator.value(store.word().offset(), names::get);
              yield offset >= 0 && offset <= 56;
            }
            default -> throw new AssertionError(op);
          };
      if (!inside) {
        return false;
      }
    }
    return true;
  }

  /** One access in one branch. */
  private String branch() {
    String word = random.nextInt(3) == 0 ? "q" : "p";
    String store = "store a[8 * (%s)] <- 1".formatted(sum(word));
    return switch (random.nextInt(4)) {
      case 0 -> "if %s {} else { %s }".formatted(condition(word), store);
      case 1 -> "if %s { if %s { %s } }".formatted(condition(word), condition(word), store);
      default -> "if %s { %s }".formatted(condition(word), store);
    };
  }

  private String block(int depth) {
    StringBuilder block = new StringBuilder();
    for (int i = random.nextInt(2); i < 2; i++) {
      block.append(
          switch (random.nextInt(depth == 0 ? 2 : 5)) {
            case 0 -> "store a[8 * (%s)] <- 1 ".formatted(expr());
            case 1 -> "set s = %s ".formatted(expr());
            case 2 ->
                "if %s { %s } else { %s } "
                    .formatted(condition(), block(depth - 1), block(depth - 1));
            default -> "if %s { %s } ".formatted(condition(), block(depth - 1));
          });
    }
    return block.toString();
  }

  private String condition() {
    return condition(pick("p", "p", "q", "s"));
  }

  /** Bounds of that word, mostly on both sides. */
  private String condition(String word) {
    StringBuilder terms = new StringBuilder();
    for (int i = random.nextInt(3); i < 3; i++) {
      String one = random.nextInt(4) == 0 ? expr() : sum(word);
      String other = random.nextInt(4) == 0 ? expr() : String.valueOf(random.nextInt(9));
      boolean turned = random.nextInt(3) == 0;
      terms
          .append(terms.isEmpty() ? "" : " and ")
          .append(turned ? other : one)
          .append(pick(" <= ", " < ", " >= ", " > ", " == ", " != ", " <= ", " reached "))
          .append(turned ? one : other);
    }
    return terms.toString();
  }

  private String sum(String word) {
    return switch (random.nextInt(4)) {
      case 0 -> word + " + " + random.nextInt(4);
      case 1 -> word + " - " + random.nextInt(4);
      default -> word;
    };
  }

  private String expr() {
    String word = pick("p", "q", "s");
    return switch (random.nextInt(9)) {
      case 0 -> word + " - " + pick("p", "q", "s");
      case 1 -> word + " + " + pick("p", "q", "s");
      case 2 -> "min(%s, %d)".formatted(word, random.nextInt(9));
      case 3 -> word + " % " + (1 + random.nextInt(9));
      case 4 -> word + " / " + (1 + random.nextInt(3));
      case 5 -> "2 * " + word;
      case 6 -> String.valueOf(random.nextInt(9));
      default -> sum(word);
    };
  }

  private String pick(String... of) {
    return of[random.nextInt(of.length)];
  }
}
