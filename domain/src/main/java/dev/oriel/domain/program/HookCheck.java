package dev.oriel.domain.program;

import dev.oriel.domain.hook.ContextField;
import dev.oriel.domain.hook.HookExpr;
import java.util.List;
import java.util.Optional;

/** Checks that a hook can be meant where it is declared, and that a move hands it what it reads. */
final class HookCheck {
  private final Complaints complaints;
  private final Operands operands;

  HookCheck(Complaints complaints, Operands operands) {
    this.complaints = complaints;
    this.operands = operands;
  }

  void declared(HookForm hook) {
    try {
      // Whatever the numbers of its maps are, what they make must be a hook.
      hook.with(number -> 1);
    } catch (IllegalArgumentException refused) {
      throw complaints.fail(hook, "not a hook", "name=" + hook.name(), "" + refused.getMessage());
    }
    for (HookForm.Source source : hook.sources()) {
      for (Expr number : source.map().numbers()) {
        operands.bound(number, "a number of hook " + hook.name(), true);
      }
    }
    untold(hook.value())
        .ifPresent(field -> {
          throw complaints.fail(
              hook,
              "hook reads what a move does not tell",
              "hook=" + hook.name() + ", field=" + field.symbol(),
              "read rank, world or count, or hand it over as a source");
        });
  }

  void applied(Object at, HookForm hook, List<Series> sources) {
    if (sources.size() != hook.sources().size()) {
      throw complaints.fail(
          at,
          "not the sources of the hook",
          "hook=%s, given=%d, declared=%d"
              .formatted(hook.name(), sources.size(), hook.sources().size()),
          "give one region for each");
    }
    for (int k = 0; k < sources.size(); k++) {
      if (!sources.get(k).single()) {
        throw complaints.fail(
            at,
            "run of sources for a hook",
            "hook=%s, source=in%d, run=%s".formatted(hook.name(), k, sources.get(k).variable()),
            "name one region; a reduction takes runs");
      }
    }
  }

  private static Optional<ContextField> untold(HookExpr value) {
    if (value instanceof HookExpr.Field(ContextField field)) {
      return HookForm.TOLD.contains(field) ? Optional.empty() : Optional.of(field);
    }
    return value.operands().stream().flatMap(operand -> untold(operand).stream()).findFirst();
  }
}
