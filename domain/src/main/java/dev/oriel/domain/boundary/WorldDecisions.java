package dev.oriel.domain.boundary;

import dev.oriel.domain.program.Cond;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Form;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongConsumer;

/**
 * What a form's text decides in a world: the results of its comparisons, and whether a quotient or
 * the turns of a loop are none, one, or several. Also which blocks a rank executes: a tree with too
 * few rounds has a rank that executes none of them.
 *
 * <p>Operands that only a running lane knows decide nothing. Lane indices and loop variables count
 * as 0.
 */
public final class WorldDecisions {
  private static final long SEVERAL = 2;
  private static final long MANY = 3;
  private static final int RESULTS = 3;
  private static final long BEYOND = 4;

  /** Operations that are looked at for the blocks of ranks, in all worlds together. */
  private static final long EFFORT = 4_000_000;

  private final Form form;
  private final List<OperandThreshold> thresholds;

  /** The sets of blocks of ranks so far, each with its number. */
  private final Map<BitSet, Long> ways = new HashMap<>();

  private long operations;

  /**
   * One result at one place of the text, for some rank. The comparisons that lead into a block are
   * one place: their results count together.
   *
   * @param place counted from 0, in the order of the text; then one for the blocks of a rank
   */
  public record Decision(int place, long result) {}

  /** Of that form. */
  public WorldDecisions(Form form) {
    this.form = form;
    this.thresholds = List.copyOf(TextThresholds.of(form));
  }

  /**
   * The results that some rank has.
   *
   * @param params values of parameters; what depends on others decides nothing
   */
  public Set<Decision> in(int world, Map<String, Long> params) {
    Set<Decision> all = new HashSet<>();
    for (int rank = 0; rank < world; rank++) {
      BoundNames names = new BoundNames(form, world, rank, params);
      for (int i = 0; i < thresholds.size(); i++) {
        int place = i;
        results(thresholds.get(i), names, result -> all.add(new Decision(place, result)));
      }
    }
    if (operations < EFFORT) {
      UnreachedBlocks.ByRank ranks =
          UnreachedBlocks.byRank(form, world, params, EFFORT - operations);
      operations += ranks.operations();
      for (BitSet blocks : ranks.unreached()) {
        Long known = ways.putIfAbsent(blocks, (long) ways.size());
        all.add(new Decision(thresholds.size(), known == null ? ways.size() - 1 : known));
      }
    }
    return all;
  }

  private void results(OperandThreshold threshold, BoundNames names, LongConsumer results) {
    Set<String> zeros = threshold.zeros();
    switch (threshold) {
      case OperandThreshold.Comparison(Expr left, Expr right, var _) ->
          names.compared(left, right, zeros).ifPresent(results::accept);
      case OperandThreshold.Division(Expr whole, Expr part, var _) -> {
        OptionalLong length = names.value(part, zeros);
        names
            .value(whole, zeros)
            .ifPresent(value -> {
              if (length.isPresent() && length.getAsLong() != 0) {
                results.accept(divided(value, length.getAsLong()));
              }
            });
      }
      case OperandThreshold.Turns(Expr count, var _) ->
          names.value(count, zeros).ifPresent(turns -> turns(turns, names, results));
      case OperandThreshold.Path(List<Cond.Term> terms, var _) ->
          results.accept(way(terms, names, zeros));
      case OperandThreshold.Period _ -> {}
    }
  }

  /** Which of them hold, each a digit; what only a running lane knows is a digit of its own. */
  private static long way(List<Cond.Term> terms, BoundNames names, Set<String> zeros) {
    long way = 0;
    for (Cond.Term term : terms) {
      OptionalLong left = names.value(term.left(), zeros);
      OptionalLong right = names.value(term.right(), zeros);
      boolean known = left.isPresent() && right.isPresent();
      int holds = known && term.comparison().test(left.getAsLong(), right.getAsLong()) ? 1 : 0;
      way = way * RESULTS + (known ? holds : 2);
    }
    return way;
  }

  private static long divided(long whole, long part) {
    long quotient = Long.divideUnsigned(whole, part);
    long capped = Long.compareUnsigned(quotient, SEVERAL) > 0 ? SEVERAL : quotient;
    return 2 * capped + (Long.remainderUnsigned(whole, part) == 0 ? 0 : 1);
  }

  /** None, one, two or more, and whether there are more than until a place comes again. */
  private void turns(long turns, BoundNames names, LongConsumer results) {
    results.accept(Long.compareUnsigned(turns, MANY) > 0 ? MANY : turns);
    for (int i = 0; i < thresholds.size(); i++) {
      if (thresholds.get(i) instanceof OperandThreshold.Period period) {
        long first = MANY + BEYOND * (i + 1L);
        // Something else may be done in that turn, or only after it.
        period
            .turns(names)
            .ifPresent(until -> results.accept(first + Math.clamp(turns - until, -1, 2)));
      }
    }
  }
}
