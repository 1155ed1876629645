package dev.oriel.domain.placement;

import dev.oriel.domain.program.Buffer;
import dev.oriel.domain.program.Ensure;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.Given;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.Series;
import dev.oriel.domain.rewrite.Forms;
import dev.oriel.domain.rewrite.Part;
import dev.oriel.domain.rewrite.Parts;
import dev.oriel.domain.rewrite.Rewrite;
import java.util.List;
import java.util.function.UnaryOperator;

/** Moves every region of a form. */
final class Regions {
  private Regions() {}

  /** The form with those buffers, and with each region moved by {@code to}. */
  static Form moved(Form form, String name, List<Buffer> buffers, UnaryOperator<Region> to) {
    Rewrite by =
        new Rewrite() {
          @Override
          public <T> T part(Part<T> part, T value) {
            return value instanceof Region region ? part.type().cast(to.apply(region)) : value;
          }
        };
    return new Form(
        name,
        form.params(),
        form.definitions(),
        buffers,
        form.signals(),
        form.teams(),
        form.ensures().stream().map(e -> ensure(e, to)).toList(),
        form.lanes().stream().map(l -> Forms.withBody(l, Parts.everywhere(l.body(), by))).toList());
  }

  /** The sum, without adding zero. */
  static Expr sum(Expr a, Expr b) {
    return a.equals(Expr.of(0)) ? b : b.equals(Expr.of(0)) ? a : a.plus(b);
  }

  private static Ensure ensure(Ensure e, UnaryOperator<Region> to) {
    return new Ensure(
        e.given().stream()
            .map(g ->
                g instanceof Given.Word w
                    ? new Given.Word(w.name(), to.apply(w.word()), w.width(), w.most())
                    : g)
            .toList(),
        to.apply(e.actual()),
        e.combine(),
        e.grouping(),
        e.expected().stream()
            .map(s -> new Series(s.variable(), s.count(), to.apply(s.region())))
            .toList(),
        e.bytes());
  }
}
