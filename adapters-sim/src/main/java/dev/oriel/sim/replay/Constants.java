package dev.oriel.sim.replay;

import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.Lane;
import dev.oriel.domain.rewrite.Exprs;
import dev.oriel.domain.rewrite.Forms;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The sizes that a form contains: the literals of its definitions and its thread counts. */
final class Constants {
  private static final int FEWEST_THREADS = 32;

  private Constants() {}

  /** The sum of these sizes. */
  static long sum(Form form) {
    long threads = form.lanes().stream().mapToLong(Constants::threads).sum();
    return form.definitions().stream()
        .map(d -> Exprs.sum(d.value(), e -> e instanceof Expr.Const(long v) && v > 0 ? v : 0))
        .reduce(threads, Exprs::capped);
  }

  /** Forms in which one of these sizes is smaller. */
  static Stream<Form> smaller(Form form) {
    Stream<Form> literals =
        IntStream.range(0, form.definitions().size()).boxed().flatMap(i -> smaller(form, i));
    Stream<Form> threads =
        IntStream.range(0, form.lanes().size())
            .filter(i -> threads(form.lanes().get(i)) > FEWEST_THREADS)
            .mapToObj(i -> {
              Lane lane = form.lanes().get(i);
              int cluster = ((Lane.Engine.Sm) lane.engine()).cluster();
              Lane few = Forms.withEngine(lane, new Lane.Engine.Sm(FEWEST_THREADS, cluster));
              return Forms.withLanes(form, Forms.with(form.lanes(), i, few));
            });
    return Stream.concat(literals, threads);
  }

  private static Stream<Form> smaller(Form form, int place) {
    Form.Definition old = form.definitions().get(place);
    return Exprs.variants(old.value(), Constants::smaller).stream()
        .map(value -> new Form.Definition(old.name(), value))
        .map(d -> Forms.withDefinitions(form, Forms.with(form.definitions(), place, d)));
  }

  private static List<Expr> smaller(Expr expr) {
    return expr instanceof Expr.Const(long value) && value > 0
        ? Passes.below(value).stream().map(Expr::of).toList()
        : List.of();
  }

  private static long threads(Lane lane) {
    return lane.engine() instanceof Lane.Engine.Sm sm ? sm.threads() : 0;
  }
}
