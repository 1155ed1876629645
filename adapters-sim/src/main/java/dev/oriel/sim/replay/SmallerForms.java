package dev.oriel.sim.replay;

import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.rewrite.ExprEdits;
import dev.oriel.domain.rewrite.FormEdits;
import dev.oriel.domain.rewrite.OperationPart;
import dev.oriel.domain.rewrite.OperationRewrite;
import dev.oriel.domain.rewrite.PartTraversal;
import dev.oriel.domain.rewrite.RewriteSite;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Forms with fewer operations and declarations. Many are not valid programs; the caller checks
 * that.
 */
final class SmallerForms {
  private SmallerForms() {}

  /** The number of the form's operations and declarations. */
  static long size(Form form) {
    long lanes =
        form.lanes().stream().mapToLong(l -> 1 + l.indices().size() + l.states().size()).sum();
    return RewriteSite.of(form).size()
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
            RewriteSite.of(form).stream()
                .filter(s -> s.at() == 0)
                .flatMap(SmallerForms::fewerOperations),
            RewriteSite.of(form).stream().flatMap(SmallerForms::unrolled),
            places(form.lanes()).flatMap(i -> plainerLane(form, i)),
            declarations(form))
        .flatMap(Function.identity());
  }

  private static Form withoutLane(Form form, int lane) {
    String name = form.lanes().get(lane).name();
    return FormEdits.withLanes(
        form,
        FormEdits.without(form.lanes(), lane, 1).stream()
            .map(l -> FormEdits.withBody(l, withoutJoins(l.body(), name)))
            .toList());
  }

  private static List<Op> withoutJoins(List<Op> ops, String lane) {
    OperationRewrite inside =
        new OperationRewrite() {
          @Override
          public List<Op> block(List<Op> inner) {
            return withoutJoins(inner, lane);
          }
        };
    return ops.stream()
        .filter(op -> !(op instanceof Op.Join(String joined) && joined.equals(lane)))
        .map(op -> PartTraversal.rewrite(op, inside))
        .toList();
  }

  /** Forms without a run of operations of the spot's block, the last run first. */
  private static Stream<Form> fewerOperations(RewriteSite start) {
    int count = start.block().size();
    return ShrinkingPasses.chunks(count)
        .map(chunk ->
            start.with(FormEdits.without(start.block(), count - chunk[0] - chunk[1], chunk[1])));
  }

  /**
   * A branch instead of its condition, one iteration instead of a loop, 0 or 1 instead of a name.
   */
  private static Stream<Form> unrolled(RewriteSite spot) {
    return switch (spot.op()) {
      case Op.If f -> Stream.of(spot.replaced(f.then()), spot.replaced(f.otherwise()));
      case Op.For f -> Stream.of(spot.replaced(substituted(f.body(), f.variable(), Expr.of(0))));
      case Op.Each e ->
          Stream.of(Expr.rank().plus(1).mod(Expr.world()), Expr.rank())
              .map(peer -> spot.replaced(substituted(e.body(), e.variable(), peer)));
      case Op.Leader l -> Stream.of(spot.replaced(l.body()));
      case Op.Let l -> Stream.of(0L, 1L).map(v -> spot.with(named(spot, l.register(), v)));
      default -> Stream.of();
    };
  }

  /** The block without the operation that defines the name; later uses become {@code value}. */
  private static List<Op> named(RewriteSite spot, String name, long value) {
    List<Op> rest = spot.block().subList(spot.at() + 1, spot.block().size());
    return Stream.concat(
            spot.block().stream().limit(spot.at()),
            substituted(rest, name, Expr.of(value)).stream())
        .toList();
  }

  private static List<Op> substituted(List<Op> ops, String name, Expr by) {
    return PartTraversal.everywhere(
        ops,
        new OperationRewrite() {
          @Override
          public <T> T part(OperationPart<T> part, T value) {
            return value instanceof Expr expr
                ? part.type().cast(ExprEdits.substitute(expr, name, by))
                : value;
          }
        });
  }

  /** A lane whose index is only 0, or one without a state. */
  private static Stream<Form> plainerLane(Form form, int place) {
    LaneFamily l = form.lanes().get(place);
    Stream<LaneFamily> single =
        places(l.indices())
            .map(i ->
                FormEdits.withBody(
                    FormEdits.withIndices(l, FormEdits.without(l.indices(), i, 1)),
                    substituted(l.body(), l.indices().get(i).name(), Expr.of(0))));
    Stream<LaneFamily> stateless =
        places(l.states()).map(i -> FormEdits.withStates(l, FormEdits.without(l.states(), i, 1)));
    return Stream.concat(single, stateless)
        .map(lane -> FormEdits.withLanes(form, FormEdits.with(form.lanes(), place, lane)));
  }

  private static Stream<Form> declarations(Form f) {
    return Stream.of(
            fewer(f.ensures()).map(e -> FormEdits.withEnsures(f, e)),
            fewer(f.definitions()).map(d -> FormEdits.withDefinitions(f, d)),
            fewer(f.params()).map(p -> FormEdits.withParams(f, p)),
            fewer(f.buffers()).map(b -> FormEdits.withBuffers(f, b)),
            fewer(f.signals()).map(s -> FormEdits.withSignals(f, s)))
        .flatMap(Function.identity());
  }

  private static <T> Stream<List<T>> fewer(List<T> list) {
    return places(list).map(i -> FormEdits.without(list, list.size() - 1 - i, 1));
  }

  private static Stream<Integer> places(List<?> list) {
    return IntStream.range(0, list.size()).boxed();
  }
}
