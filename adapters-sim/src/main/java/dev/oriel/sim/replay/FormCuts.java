package dev.oriel.sim.replay;

import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.Lane;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.rewrite.Exprs;
import dev.oriel.domain.rewrite.Forms;
import dev.oriel.domain.rewrite.Part;
import dev.oriel.domain.rewrite.Parts;
import dev.oriel.domain.rewrite.Rewrite;
import dev.oriel.domain.rewrite.Spot;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Forms with fewer operations and declarations. Many are not valid programs; the caller checks
 * that.
 */
final class FormCuts {
  private FormCuts() {}

  /** The number of the form's operations and declarations. */
  static long size(Form form) {
    long lanes =
        form.lanes().stream().mapToLong(l -> 1 + l.indices().size() + l.states().size()).sum();
    return Spot.of(form).size()
        + lanes
        + form.params().size()
        + form.definitions().size()
        + form.buffers().size()
        + form.signals().size()
        + form.ensures().size();
  }

  /** Whole lanes first, declarations last. */
  static Stream<Form> smaller(Form form) {
    return Stream.of(
            places(form.lanes()).map(i -> withoutLane(form, i)),
            Spot.of(form).stream().filter(s -> s.at() == 0).flatMap(FormCuts::fewerOperations),
            Spot.of(form).stream().flatMap(FormCuts::unrolled),
            places(form.lanes()).flatMap(i -> plainerLane(form, i)),
            declarations(form))
        .flatMap(Function.identity());
  }

  private static Form withoutLane(Form form, int lane) {
    String name = form.lanes().get(lane).name();
    return Forms.withLanes(
        form,
        Forms.without(form.lanes(), lane, 1).stream()
            .map(l -> Forms.withBody(l, withoutJoins(l.body(), name)))
            .toList());
  }

  private static List<Op> withoutJoins(List<Op> ops, String lane) {
    Rewrite inside =
        new Rewrite() {
          @Override
          public List<Op> block(List<Op> inner) {
            return withoutJoins(inner, lane);
          }
        };
    return ops.stream()
        .filter(op -> !(op instanceof Op.Join(String joined) && joined.equals(lane)))
        .map(op -> Parts.rewrite(op, inside))
        .toList();
  }

  /** Forms without a run of operations of the spot's block, the last run first. */
  private static Stream<Form> fewerOperations(Spot start) {
    int count = start.block().size();
    return Passes.chunks(count)
        .map(chunk ->
            start.with(Forms.without(start.block(), count - chunk[0] - chunk[1], chunk[1])));
  }

  /**
   * A branch instead of its condition, one iteration instead of a loop, 0 or 1 instead of a name.
   */
  private static Stream<Form> unrolled(Spot spot) {
    return switch (spot.op()) {
      case Op.If f -> Stream.of(spot.replaced(f.then()), spot.replaced(f.otherwise()));
      case Op.For f -> Stream.of(spot.replaced(substituted(f.body(), f.variable(), Expr.of(0))));
      case Op.Each e ->
          Stream.of(Expr.rank().plus(1).mod(Expr.world()), Expr.rank())
              .map(peer -> spot.replaced(substituted(e.body(), e.variable(), peer)));
      case Op.Let l -> Stream.of(0L, 1L).map(v -> spot.with(named(spot, l.register(), v)));
      default -> Stream.of();
    };
  }

  /** The block without the operation that defines the name; later uses become {@code value}. */
  private static List<Op> named(Spot spot, String name, long value) {
    List<Op> rest = spot.block().subList(spot.at() + 1, spot.block().size());
    return Stream.concat(
            spot.block().stream().limit(spot.at()),
            substituted(rest, name, Expr.of(value)).stream())
        .toList();
  }

  private static List<Op> substituted(List<Op> ops, String name, Expr by) {
    return Parts.everywhere(
        ops,
        new Rewrite() {
          @Override
          public <T> T part(Part<T> part, T value) {
            return value instanceof Expr expr
                ? part.type().cast(Exprs.substitute(expr, name, by))
                : value;
          }
        });
  }

  /** A lane whose index is only 0, or one without a state. */
  private static Stream<Form> plainerLane(Form form, int place) {
    Lane l = form.lanes().get(place);
    Stream<Lane> single =
        places(l.indices())
            .map(i ->
                Forms.withBody(
                    Forms.withIndices(l, Forms.without(l.indices(), i, 1)),
                    substituted(l.body(), l.indices().get(i).name(), Expr.of(0))));
    Stream<Lane> stateless =
        places(l.states()).map(i -> Forms.withStates(l, Forms.without(l.states(), i, 1)));
    return Stream.concat(single, stateless)
        .map(lane -> Forms.withLanes(form, Forms.with(form.lanes(), place, lane)));
  }

  private static Stream<Form> declarations(Form f) {
    return Stream.of(
            fewer(f.ensures()).map(e -> Forms.withEnsures(f, e)),
            fewer(f.definitions()).map(d -> Forms.withDefinitions(f, d)),
            fewer(f.params()).map(p -> Forms.withParams(f, p)),
            fewer(f.buffers()).map(b -> Forms.withBuffers(f, b)),
            fewer(f.signals()).map(s -> Forms.withSignals(f, s)))
        .flatMap(Function.identity());
  }

  private static <T> Stream<List<T>> fewer(List<T> list) {
    return places(list).map(i -> Forms.without(list, list.size() - 1 - i, 1));
  }

  private static Stream<Integer> places(List<?> list) {
    return IntStream.range(0, list.size()).boxed();
  }
}
