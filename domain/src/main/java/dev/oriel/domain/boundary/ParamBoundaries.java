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

/**
 * The values of one parameter around which the behaviour of a form's text changes:
 *
 * <ul>
 *   <li>0 and 1;
 *   <li>one less than, as many as and one more than a part that the text divides by; two parts;
 *   <li>the value at which the result of a comparison, {@code min} or {@code max} changes;
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

  /** All values up to this are looked at where a condition comes and goes. */
  private static final int FEW = 64;

  /** A comparison with the number of ranks concerns no more ranks than this. */
  private static final long MANY_RANKS = SMALL_MAX + 1;

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

  /**
   * Numbers of ranks, from 1, around which the text does something else for some rank. They follow
   * from what it says of {@code n}, and of {@code r} for the last rank.
   *
   * @param params values of all parameters
   */
  public static Set<Long> ranks(Form form, Map<String, Long> params) {
    Set<Long> ranks = new TreeSet<>();
    of(form, 2, params, new Form.Param("n", MANY_RANKS)).stream()
        .filter(n -> n > 0)
        .forEach(ranks::add);
    of(form, 2, params, new Form.Param("r", MANY_RANKS)).forEach(r -> ranks.add(r + 1));
    return ranks;
  }

  private List<Long> all() {
    offer(0, FIRST);
    offer(1, FIRST);
    if (param.max() <= SMALL_MAX) {
      offer(param.max(), FIRST);
    }
    Set<OperandThreshold> thresholds = TextThresholds.of(form);
    probe(thresholds);
    for (int at : world == 1 ? List.of(0) : List.of(0, world - 1)) {
      rank = at;
      names.clear();
      List<Long> periods =
          thresholds.stream()
              .filter(OperandThreshold.Period.class::isInstance)
              .map(period -> turns((OperandThreshold.Period) period))
              .filter(turns -> turns > 1)
              .distinct()
              .sorted()
              .toList();
      thresholds.forEach(threshold -> implied(threshold, periods));
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

  private void implied(OperandThreshold threshold, List<Long> periods) {
    Set<String> zeros = threshold.zeros();
    switch (threshold) {
      case OperandThreshold.Division(Expr whole, Expr part, var _) -> {
        if (depends(whole)) {
          division(whole, part, zeros);
        }
      }
      case OperandThreshold.Comparison(Expr left, Expr right, var _) -> {
        if (depends(left) || depends(right)) {
          LongPredicate reaches = p -> reaches(p, left, right, 1, zeros);
          // A part of a number is never below 0, but may be above it.
          boolean ever = turning(reaches).isPresent();
          around(ever ? reaches : p -> !reaches(p, right, left, 1, zeros), NEXT, FIRST, NEXT);
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
      case OperandThreshold.Period _ -> {}
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

  /** After how many turns a place comes again; 0 where that is not known. */
  private long turns(OperandThreshold.Period period) {
    BoundNames here = at(params.getOrDefault(param.name(), 0L));
    long modulus = here.value(period.modulus(), period.zeros()).orElse(0);
    long step = here.value(period.step(), period.zeros()).orElse(0);
    return step > 0 && modulus % step == 0 ? modulus / step : 0;
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
