package dev.oriel.domain.program.check;

import dev.oriel.domain.data.ReduceOp;
import dev.oriel.domain.data.Reduction;
import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.Ensure;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Grouping;
import dev.oriel.domain.program.Printer;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.Series;
import dev.oriel.domain.program.check.Scopes.Meaning;
import java.util.List;
import java.util.function.Consumer;

/** Checks operators, types and series of sources, of moves and of post-conditions. */
final class ReductionCheck {
  private final Complaints complaints;
  private final Operands operands;

  ReductionCheck(Complaints complaints, Operands operands) {
    this.complaints = complaints;
    this.operands = operands;
  }

  void combine(Object at, Combine combine, List<Series> sources) {
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
              "element=" + Printer.lower(type) + ", accumulator=" + Printer.lower(accumulator),
              "use " + Printer.lower(type.accumulator()));
        }
      }
      case Combine.Apply apply -> new HookCheck(complaints, operands).applied(at, apply, sources);
    }
  }

  /** Checks every source's region in the scope of its variable. */
  void sources(Object at, List<Series> sources, Consumer<Region> region) {
    for (Series s : sources) {
      if (s.single()) {
        region.accept(s.region());
        continue;
      }
      operands.bound(s.count(), "the count of sources", false);
      operands.open();
      operands.declare(at, s.variable(), Meaning.RUNNING);
      region.accept(s.region());
      operands.close();
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
          "operator=%s, type=%s".formatted(Printer.lower(op), Printer.lower(type)),
          "state the order that the program keeps, for it decides the result");
    }
  }
}
