package dev.oriel.sim.replay;

import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.rewrite.ExprEdits;
import dev.oriel.domain.rewrite.FormEdits;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The sizes that a form contains: the literals of its definitions and its thread counts. */
final class FormConstants {
  private static final int FEWEST_THREADS = 32;

  private FormConstants() {}

  /** The sum of these sizes. */
  static long sum(Form form) {
    long threads = form.lanes().stream().mapToLong(FormConstants::threads).sum();
    return form.definitions().stream()
        .map(d -> ExprEdits.sum(d.value(), e -> e instanceof Expr.Const(long v) && v > 0 ? v : 0))
        .reduce(threads, ExprEdits::capped);
  }

  /** Forms in which one of these sizes is smaller. */
  static Stream<Form> smaller(Form form) {
    Stream<Form> literals =
        IntStream.range(0, form.definitions().size()).boxed().flatMap(i -> smaller(form, i));
    Stream<Form> threads =
        IntStream.range(0, form.lanes().size())
            .filter(i -> threads(form.lanes().get(i)) > FEWEST_THREADS)
            .mapToObj(i -> {
              LaneFamily lane = form.lanes().get(i);
              int cluster = ((LaneFamily.Engine.Sm) lane.engine()).cluster();
              LaneFamily few =
                  FormEdits.withEngine(lane, new LaneFamily.Engine.Sm(FEWEST_THREADS, cluster));
              return FormEdits.withLanes(form, FormEdits.with(form.lanes(), i, few));
            });
    return Stream.concat(literals, threads);
  }

  private static Stream<Form> smaller(Form form, int place) {
    Form.Definition old = form.definitions().get(place);
    return ExprEdits.variants(old.value(), FormConstants::smaller).stream()
        .map(value -> new Form.Definition(old.name(), value))
        .map(d -> FormEdits.withDefinitions(form, FormEdits.with(form.definitions(), place, d)));
  }

  private static List<Expr> smaller(Expr expr) {
    return expr instanceof Expr.Const(long value) && value > 0
        ? ShrinkingPasses.below(value).stream().map(Expr::of).toList()
        : List.of();
  }

  private static long threads(LaneFamily lane) {
    return lane.engine() instanceof LaneFamily.Engine.Sm sm ? sm.threads() : 0;
  }
}
