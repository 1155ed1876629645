package dev.oriel.domain.placement;

import dev.oriel.domain.program.Ensure;
import dev.oriel.domain.program.EnsureBinder;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.Peers;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.SourceSeries;
import dev.oriel.domain.rewrite.ExprEdits;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The places of the rank's own contribution and of its result according to a post-condition; in
 * place these two coincide. For an all-gather it is block r of the output, for a reduce-scatter
 * block r of the input, for an all-reduce the same bytes.
 *
 * @param source the offset in the input
 * @param target the offset in the output
 */
record OwnPlace(Expr source, Expr target) {

  /** The places in the form's post-conditions, which must all agree. */
  static OwnPlace of(Form form, String input, String output) {
    List<OwnPlace> places =
        form.ensures().stream()
            .filter(e -> e.actual().buffer().equals(output))
            .flatMap(e -> of(form, e, input))
            .toList();
    if (places.isEmpty()
        || places.stream().map(p -> SumOfProducts.of(p.target.minus(p.source))).distinct().count()
            > 1) {
      throw new ProgramException(
          "no form in place: form=%s, input=%s, output=%s, places=%d; its post-conditions must say of one place where the rank's own contribution goes, leave in place out"
              .formatted(form.name(), input, output, places.size()));
    }
    return places.getFirst();
  }

  private static Stream<OwnPlace> of(Form form, Ensure e, String input) {
    return e.expected().stream()
        .filter(s -> s.region().buffer().equals(input))
        .map(s -> of(form, e, s));
  }

  private static OwnPlace of(Form form, Ensure e, SourceSeries s) {
    Expr source = s.region().offset();
    Expr target = e.actual().offset();
    Expr only = Expr.of(1);
    Set<String> bound = new HashSet<>();
    e.given().forEach(g -> bound.add(g.name()));
    bound.add(s.variable());
    if (s.region().at() instanceof Peers.One(Expr rank)) {
      if (rank instanceof Expr.Name(String name) && bound.contains(name) && isRank(e, s, name)) {
        source = ExprEdits.substitute(source, name, Expr.rank());
        target = ExprEdits.substitute(target, name, Expr.rank());
      } else if (!names(rank, bound)) {
        // The factor for one rank alone: 1 there, and 0 at every other rank.
        only = Expr.of(1).minus(Expr.min(Expr.of(1), Expr.rank().minus(rank).mod(Expr.world())));
      }
    }
    if (SumOfProducts.of(source).equals(SumOfProducts.of(target))) {
      return new OwnPlace(Expr.of(0), Expr.of(0));
    }
    if (names(source, bound) || names(target, bound)) {
      throw new ProgramException(
          "no form in place: form=%s, buffer=%s; the place of the rank's own contribution depends on more than its rank, leave in place out"
              .formatted(form.name(), e.actual().buffer()));
    }
    return new OwnPlace(times(only, source), times(only, target));
  }

  private static boolean isRank(Ensure e, SourceSeries s, String name) {
    return s.variable().equals(name)
        || e.given().stream()
            .anyMatch(g -> g instanceof EnsureBinder.Rank && g.name().equals(name));
  }

  private static Expr times(Expr only, Expr offset) {
    return offset.equals(Expr.of(0)) || only.equals(Expr.of(1)) ? offset : only.times(offset);
  }

  private static boolean names(Expr expr, Set<String> some) {
    return some.stream()
        .anyMatch(name -> !ExprEdits.substitute(expr, name, Expr.of(0)).equals(expr));
  }
}
