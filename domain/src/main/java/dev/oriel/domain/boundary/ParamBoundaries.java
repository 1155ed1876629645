package dev.oriel.domain.boundary;

import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.rewrite.ExprEdits;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongPredicate;
import java.util.stream.Stream;

/**
 * The values of one parameter around which the behaviour of a form's text changes:
 *
 * <ul>
 *   <li>0 and 1;
 *   <li>one less than, as many as and one more than a part that the text divides by; two parts;
 *   <li>the values from which on one operand of a comparison, {@code min} or {@code max} reaches
 *       the other, and exceeds it; then the next whole part, and one more;
 *   <li>a maximum up to 64 KiB, and one less;
 *   <li>0, 1 and 2 turns of a loop, as many turns as slots, and one more.
 * </ul>
 *
 * <p>Operands that only a running lane knows imply nothing. Lane indices and loop variables count
 * as 0. A condition on a remainder changes at many values; one of them is found. The search for it
 * tries small values, powers of two, and constants of the text.
 */
public final class ParamBoundaries {
  /** A maximum up to this is a value like any other. */
  private static final long SMALL_MAX = 64;

  /** A maximum up to this shows what no place of the text names. */
  private static final long MODEST_MAX = 1 << 16;

  /** All values up to this are looked at where a condition comes and goes. */
  private static final int FEW = 64;

  private static final int FIRST = 0;
  private static final int NEXT = 1;
  private static final int LAST = 2;

  private final Form form;
  private final int world;
  private final Form.Param param;
  private final Map<String, Long> params;
  private final Set<String> dependent = new HashSet<>();

  /** By value, how soon it is to be looked at. */
  private final Map<Long, Integer> values = new TreeMap<>();

  /** Values at which a condition is looked at that is the same at both ends. */
  private final Set<Long> probes = new TreeSet<>();

  private final Map<Long, BoundNames> names = new HashMap<>();
  private int rank;

  private ParamBoundaries(Form form, int world, Map<String, Long> params, Form.Param param) {
    this.form = form;
    this.world = world;
    this.params = params;
    this.param = param;
    dependent.add(param.name());
    form.definitions().stream()
        .filter(definition -> depends(definition.value()))
        .forEach(definition -> dependent.add(definition.name()));
  }

  /**
   * Those of {@code param}, from 0 to its maximum; the most significant ones first, and small ones
   * before large ones.
   *
   * @param params values of all other parameters
   */
  public static List<Long> of(Form form, int world, Map<String, Long> params, Form.Param param) {
    return new ParamBoundaries(form, world, params, param).all();
  }

  private List<Long> all() {
    offer(0, FIRST);
    offer(1, FIRST);
    if (param.max() <= SMALL_MAX) {
      offer(param.max(), FIRST);
    } else if (param.max() <= MODEST_MAX) {
      offer(param.max(), LAST);
      offer(param.max() - 1, LAST);
    }
    Set<OperandThreshold> thresholds = TextThresholds.of(form);
    probe(thresholds);
    for (int at : world == 1 ? List.of(0) : List.of(0, world - 1)) {
      rank = at;
      names.clear();
      List<Long> periods =
          thresholds.stream()
              .filter(OperandThreshold.Period.class::isInstance)
              .map(period ->
                  ((OperandThreshold.Period) period)
                      .turns(at(params.getOrDefault(param.name(), 0L)))
                      .orElse(0))
              .filter(turns -> turns > 1)
              .distinct()
              .sorted()
              .toList();
      List<Long> lengths = thresholds.stream().flatMap(this::length).distinct().sorted().toList();
      thresholds.forEach(threshold -> implied(threshold, periods, lengths));
    }
    return values.entrySet().stream()
        .sorted(
            Map.Entry.<Long, Integer>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
        .map(Map.Entry::getKey)
        .toList();
  }

  private void probe(Set<OperandThreshold> thresholds) {
    for (long value = 1; value <= FEW; value++) {
      probes.add(value);
    }
    for (long power = FEW; power > 0; power <<= 1) {
      probes.addAll(List.of(power - 1, power, power + 1));
    }
    for (OperandThreshold threshold : thresholds) {
      if (threshold instanceof OperandThreshold.Comparison(Expr left, Expr right, var _)) {
        for (Expr side : List.of(left, right)) {
          ExprEdits.constants(side)
              .forEach(constant -> probes.addAll(List.of(constant - 1, constant, constant + 1)));
        }
      }
    }
    probes.removeIf(value -> value < 0 || value > param.max());
  }

  /**
   * The length of parts into which the text divides something, if the parameter does not change it.
   */
  private Stream<Long> length(OperandThreshold threshold) {
    if (threshold instanceof OperandThreshold.Division(Expr whole, Expr part, var zeros)
        && depends(whole)
        && !depends(part)) {
      return at(0).value(part, zeros).stream().filter(length -> length > 1).boxed();
    }
    return Stream.empty();
  }

  private void implied(OperandThreshold threshold, List<Long> periods, List<Long> lengths) {
    Set<String> zeros = threshold.zeros();
    switch (threshold) {
      case OperandThreshold.Division(Expr whole, Expr part, var _) -> {
        if (depends(whole)) {
          division(whole, part, zeros);
        }
      }
      case OperandThreshold.Comparison(Expr left, Expr right, var _) -> {
        if (depends(left) || depends(right)) {
          around(p -> reaches(p, left, right, 1, zeros), NEXT, FIRST, NEXT);
          // An operand that counts parts is equal to the other for a whole part.
          turning(p -> at(p).compared(left, right, zeros).orElse(0) > 0)
              .ifPresent(p -> beyond(p, lengths));
        }
      }
      case OperandThreshold.Turns(Expr count, var _) -> {
        if (depends(count)) {
          turns(count, zeros, 1, NEXT);
          turns(count, zeros, 2, NEXT);
          periods.forEach(slots -> turns(count, zeros, slots, LAST));
          periods.forEach(slots -> turns(count, zeros, slots + 1, FIRST));
        }
      }
      case OperandThreshold.Period _, OperandThreshold.Path _ -> {}
    }
  }

  private void division(Expr whole, Expr part, Set<String> zeros) {
    OptionalLong length = at(params.getOrDefault(param.name(), 0L)).value(part, zeros);
    if (length.isPresent() && length.getAsLong() <= 1 && !depends(part)) {
      return;
    }
    around(p -> reaches(p, whole, part, 1, zeros), NEXT, NEXT, FIRST);
    around(p -> reaches(p, whole, part, 2, zeros), LAST, LAST, NEXT);
  }

  private void turns(Expr count, Set<String> zeros, long least, int when) {
    turning(p -> reaches(p, count, Expr.of(least), 1, zeros)).ifPresent(p -> offer(p, when));
  }

  /** The value at which an operand exceeds another, and the first ones that need one part more. */
  private void beyond(long value, List<Long> lengths) {
    offer(value - 1, NEXT);
    offer(value, FIRST);
    offer(value + 1, NEXT);
    for (long length : lengths) {
      long whole = Math.ceilDiv(value, length) * length;
      offer(whole, LAST);
      offer(whole + 1, NEXT);
    }
  }

  private void around(LongPredicate holds, int before, int at, int after) {
    turning(holds)
        .ifPresent(p -> {
          offer(p - 1, before);
          offer(p, at);
          offer(p + 1, after);
        });
  }

  /** A value at which it is no longer as it is at 0 and just below, if one is found. */
  private OptionalLong turning(LongPredicate holds) {
    boolean first = holds.test(0);
    OptionalLong other =
        holds.test(param.max()) != first
            ? OptionalLong.of(param.max())
            : probes.stream()
                .mapToLong(Long::longValue)
                .filter(value -> holds.test(value) != first)
                .findFirst();
    if (other.isEmpty()) {
      return other;
    }
    long low = 0;
    long high = other.getAsLong();
    while (high - low > 1) {
      long middle = low + (high - low) / 2;
      if (holds.test(middle) == first) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return OptionalLong.of(high);
  }

  /** Whether the left operand is at least so many times the right one; no where either is open. */
  private boolean reaches(long value, Expr left, Expr right, long times, Set<String> zeros) {
    OptionalLong one = at(value).value(left, zeros);
    OptionalLong other = at(value).value(right, zeros);
    return one.isPresent()
        && other.isPresent()
        && Long.compareUnsigned(one.getAsLong(), times * other.getAsLong()) >= 0;
  }

  private BoundNames at(long value) {
    return names.computeIfAbsent(
        value,
        v -> {
          Map<String, Long> all = new TreeMap<>(params);
          all.put(param.name(), v);
          return new BoundNames(form, world, rank, all);
        });
  }

  private void offer(long value, int when) {
    if (0 <= value && value <= param.max()) {
      values.merge(value, when, Math::min);
    }
  }

  private boolean depends(Expr expr) {
    return dependent.stream().anyMatch(name -> ExprEdits.uses(expr, name));
  }
}
