package dev.oriel.domain.program;

import dev.oriel.domain.hook.ContextField;
import dev.oriel.domain.hook.HookExpr;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Checks that a hook can be meant, and that a move hands it what it reads. */
final class HookCheck {
  private final Complaints complaints;
  private final Operands operands;

  HookCheck(Complaints complaints, Operands operands) {
    this.complaints = complaints;
    this.operands = operands;
  }

  void check(Object at, HookForm hook, List<Series> sources) {
    try {
      // Whatever the numbers of its maps are, what they make must be a hook.
      hook.with(number -> 1);
    } catch (IllegalArgumentException refused) {
      throw complaints.fail(at, "not a hook", "name=" + hook.name(), "" + refused.getMessage());
    }
    for (HookForm.Source source : hook.sources()) {
      for (Expr number : source.map().numbers()) {
        operands.bound(number, "a number of hook " + hook.name(), true);
      }
    }
    if (sources.size() != hook.sources().size() || !sources.stream().allMatch(Series::single)) {
      throw complaints.fail(
          at,
          "not the sources of the hook",
          "hook=%s, given=%d, declared=%d"
              .formatted(hook.name(), sources.size(), hook.sources().size()),
          "give one region for each");
    }
    untold(hook.value())
        .ifPresent(field -> {
          throw complaints.fail(
              at,
              "hook reads what a move does not tell",
              "hook=" + hook.name() + ", field=" + field.name().toLowerCase(Locale.ROOT),
              "read rank, world or count, or hand it over as a source");
        });
  }

  private static Optional<ContextField> untold(HookExpr value) {
    if (value instanceof HookExpr.Field(ContextField field)) {
      return HookForm.TOLD.contains(field) ? Optional.empty() : Optional.of(field);
    }
    return value.operands().stream().flatMap(operand -> untold(operand).stream()).findFirst();
  }
}
