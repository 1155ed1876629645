package dev.oriel.domain.placement;

import dev.oriel.domain.program.Buffer;
import dev.oriel.domain.program.Ensure;
import dev.oriel.domain.program.EnsureBinder;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.SourceSeries;
import dev.oriel.domain.rewrite.FormEdits;
import dev.oriel.domain.rewrite.OperationPart;
import dev.oriel.domain.rewrite.OperationRewrite;
import dev.oriel.domain.rewrite.PartTraversal;
import java.util.List;
import java.util.function.UnaryOperator;

/** Moves every region of a form. */
final class RegionRelocation {
  private RegionRelocation() {}

  /** The form with those buffers, and with each region moved by {@code to}. */
  static Form moved(Form form, String name, List<Buffer> buffers, UnaryOperator<Region> to) {
    OperationRewrite by =
        new OperationRewrite() {
          @Override
          public <T> T part(OperationPart<T> part, T value) {
            return value instanceof Region region ? part.type().cast(to.apply(region)) : value;
          }
        };
    return new Form(
        name,
        form.params(),
        form.definitions(),
        form.requirements(),
        buffers,
        form.signals(),
        form.teams(),
        form.ensures().stream().map(e -> ensure(e, to)).toList(),
        form.lanes().stream()
            .map(l -> FormEdits.withBody(l, PartTraversal.everywhere(l.body(), by)))
            .toList());
  }

  /** The sum, without adding zero. */
  static Expr sum(Expr a, Expr b) {
    return a.equals(Expr.of(0)) ? b : b.equals(Expr.of(0)) ? a : a.plus(b);
  }

  private static Ensure ensure(Ensure e, UnaryOperator<Region> to) {
    return new Ensure(
        e.given().stream()
            .map(g ->
                g instanceof EnsureBinder.Word w
                    ? new EnsureBinder.Word(w.name(), to.apply(w.word()), w.width(), w.most())
                    : g)
            .toList(),
        e.when().map(w -> new Ensure.When(to.apply(w.word()), w.comparison(), w.value())),
        to.apply(e.actual()),
        e.combine(),
        e.grouping(),
        e.expected().stream()
            .map(s -> new SourceSeries(s.variable(), s.count(), to.apply(s.region())))
            .toList(),
        e.bytes());
  }
}
