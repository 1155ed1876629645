package dev.oriel.domain.program.check;

import dev.oriel.domain.data.ReduceOp;
import dev.oriel.domain.data.Reduction;
import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.Ensure;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.FormPrinter;
import dev.oriel.domain.program.Grouping;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.SourceSeries;
import dev.oriel.domain.program.check.NameScopes.Meaning;
import java.util.List;
import java.util.function.Consumer;

/** Checks operators, types and series of sources, of moves and of post-conditions. */
final class ReductionCheck {
  private final FormErrors complaints;
  private final NameResolver operands;

  ReductionCheck(FormErrors complaints, NameResolver operands) {
    this.complaints = complaints;
    this.operands = operands;
  }

  void combine(Object at, Combine combine, List<SourceSeries> sources) {
    switch (combine) {
      case Combine.Copy() -> {
        if (sources.size() > 1 || !sources.getFirst().single()) {
          throw complaints.fail(
              at,
              "copy of several sources",
              "sources=" + sources.size(),
              "name the reduction: sum, min, max, prod or avg");
        }
      }
      case Combine.Reduce(var op, var type, var accumulator) -> {
        if (!Reduction.fits(type, accumulator)) {
          throw complaints.fail(
              at,
              "unfit accumulator",
              "element="
                  + FormPrinter.lower(type)
                  + ", accumulator="
                  + FormPrinter.lower(accumulator),
              "use " + FormPrinter.lower(type.accumulator()));
        }
      }
      case Combine.Apply apply -> new HookCheck(complaints, operands).applied(at, apply, sources);
    }
  }

  /** Checks every source's region in the scope of its variable. */
  void sources(Object at, List<SourceSeries> sources, Consumer<Region> region) {
    for (SourceSeries s : sources) {
      if (s.single()) {
        region.accept(s.region());
        continue;
      }
      operands.bound(s.count(), "the count of sources", false);
      operands.scoped(() -> {
        operands.declare(at, s.variable(), Meaning.RUNNING);
        region.accept(s.region());
      });
    }
  }

  /**
   * Whether the result can be stated in this way: it must be unique, whichever rank computes it.
   */
  void grouping(Ensure e) {
    if (!(e.combine() instanceof Combine.Reduce(var op, var type, var accumulator))
        || e.grouping() instanceof Grouping.AtOnce) {
      return;
    }
    if (e.grouping() instanceof Grouping.By(Expr size)) {
      operands.bound(size, "the size of a group", false);
    }
    if (op == ReduceOp.AVG) {
      throw complaints.fail(
          e,
          "an average in steps",
          "grouping=" + Grouping.spelling(e.grouping()),
          "divide once, with all sources in one move");
    }
    boolean selects = op == ReduceOp.MIN || op == ReduceOp.MAX;
    if (e.grouping() instanceof Grouping.Any && type.isFloat() && !selects) {
      throw complaints.fail(
          e,
          "a rounded result in any order",
          "operator=%s, type=%s".formatted(FormPrinter.lower(op), FormPrinter.lower(type)),
          "state the order that the program keeps, for it decides the result");
    }
  }
}
