package dev.oriel.domain.program;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The steps in which the sources of a reduction are combined; together with rounding they determine
 * the result.
 */
public sealed interface Grouping {
  /** In the written order, held in the accumulator's type to the end. */
  Grouping AT_ONCE = new AtOnce();

  /** In the written order, rounded to the element's type after every source except the first. */
  Grouping STEPWISE = new Stepwise();

  /**
   * As a binomial tree does. Let P be the largest power of two below the number of sources. The
   * sources from number P on are added to as many at the front, and each sum is rounded. This is
   * repeated until one is left. A single source is unchanged.
   */
  Grouping FOLDED = new Folded();

  /** In any order and steps; only allowed if they do not affect the result. */
  Grouping ANY = new Any();

  /** See {@link #AT_ONCE}. */
  record AtOnce() implements Grouping {}

  /** See {@link #STEPWISE}. */
  record Stepwise() implements Grouping {}

  /** See {@link #FOLDED}. */
  record Folded() implements Grouping {}

  /** See {@link #ANY}. */
  record Any() implements Grouping {}

  /** Each {@code size} consecutive sources at once, and then these results at once. */
  record By(Expr size) implements Grouping {}

  /** The spelling after the types in the text form; empty if nothing is written. */
  static String spelling(Grouping grouping) {
    return switch (grouping) {
      case AtOnce() -> "";
      case Stepwise() -> "stepwise";
      case Folded() -> "folded";
      case Any() -> "any";
      case By(Expr size) -> "by " + FormPrinter.print(size);
    };
  }

  /**
   * The combination of the sources, if {@code atOnce} combines several into one.
   *
   * @throws ProgramException if the size of groups is not a number above 0
   */
  static <T> T over(Grouping grouping, List<T> sources, Function<List<T>, T> atOnce) {
    return switch (grouping) {
      case AtOnce() -> atOnce.apply(sources);
      case Any() -> atOnce.apply(sources);
      case Stepwise() -> stepwise(sources, atOnce);
      case Folded() -> folded(sources, atOnce);
      case By(Expr size) -> atOnce.apply(groups(sources, size).map(atOnce).toList());
    };
  }

  private static <T> Stream<List<T>> groups(List<T> sources, Expr size) {
    if (!(size instanceof Expr.Const(long of)) || of < 1) {
      throw new ProgramException(
          "group without a size: by=%s; give a number from 1 on"
              .formatted(FormPrinter.print(size)));
    }
    int each = (int) Math.min(of, sources.size());
    return IntStream.range(0, Math.ceilDiv(sources.size(), each))
        .mapToObj(k -> sources.subList(k * each, Math.min(k * each + each, sources.size())));
  }

  private static <T> T stepwise(List<T> sources, Function<List<T>, T> atOnce) {
    // A sum of one source is still a sum: it may canonicalise a NaN.
    T made = sources.size() == 1 ? atOnce.apply(sources) : sources.getFirst();
    for (T next : sources.subList(1, sources.size())) {
      made = atOnce.apply(List.of(made, next));
    }
    return made;
  }

  private static <T> T folded(List<T> sources, Function<List<T>, T> atOnce) {
    List<T> left = new ArrayList<>(sources);
    while (left.size() > 1) {
      int half = Integer.highestOneBit(left.size() - 1);
      for (int k = half; k < left.size(); k++) {
        left.set(k - half, atOnce.apply(List.of(left.get(k - half), left.get(k))));
      }
      left = left.subList(0, half);
    }
    return left.getFirst();
  }
}
