package dev.oriel.domain.program.check;

import dev.oriel.domain.hook.ContextField;
import dev.oriel.domain.program.Access;
import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.FormPrinter;
import dev.oriel.domain.program.HookForm;
import dev.oriel.domain.program.HookOperands;
import dev.oriel.domain.program.MapForm;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.SourceSeries;
import dev.oriel.domain.program.check.NameScopes.Meaning;
import java.util.List;
import java.util.Set;

/**
 * Checks that a hook is valid where it is declared, and that a move sets all fields that it reads.
 */
final class HookCheck {
  private final FormErrors complaints;
  private final NameResolver operands;

  HookCheck(FormErrors complaints, NameResolver operands) {
    this.complaints = complaints;
    this.operands = operands;
  }

  void declared(HookForm hook) {
    try {
      // The maps must make a valid hook for all values of their other numbers.
      hook.with(number -> number instanceof Expr.Const(long value) ? value : 1);
    } catch (IllegalArgumentException refused) {
      throw complaints.fail(hook, "not a hook", "name=" + hook.name(), "" + refused.getMessage());
    }
    if (hook.sources().isEmpty()) {
      throw complaints.fail(
          hook, "hook without sources", "name=" + hook.name(), "declare at least one, in0");
    }
    hook.maps().forEach(map -> numbers(hook, map));
  }

  private void numbers(HookForm hook, MapForm map) {
    for (Expr number : map.numbers()) {
      if (!HookOperands.in(number)) {
        operands.bound(number, "a number of hook " + hook.name(), true);
        continue;
      }
      if (!(map instanceof MapForm.Affine(Expr offset, Expr _) && offset.equals(number))) {
        throw complaints.fail(
            hook,
            "number of a map hangs on the move",
            "hook=" + hook.name() + ", number=" + FormPrinter.print(number),
            "name %s in offsets alone".formatted(HookOperands.names("and")));
      }
      operands.scoped(() -> {
        for (ContextField field : hook.asked()) {
          operands.declareWord(hook, field.symbol(), Meaning.BOUND);
        }
        operands.bound(number, "a number of hook " + hook.name(), true);
      });
    }
  }

  /** Packets are created one after another, so their elements must stay in that order. */
  void stored(Object at, Combine combine, List<Region> destinations) {
    if (combine instanceof Combine.Apply(HookForm hook, HookOperands _)
        && hook.scatters()
        && destinations.stream().anyMatch(d -> d.access() instanceof Access.Packets)) {
      throw complaints.fail(
          at,
          "packets at places of their own",
          "hook=%s, to=%s".formatted(hook.name(), hook.target().text()),
          "write plain bytes, or give the map to a source");
    }
  }

  void applied(Object at, Combine.Apply apply, List<SourceSeries> sources) {
    HookForm hook = apply.hook();
    if (sources.size() != hook.sources().size()) {
      throw complaints.fail(
          at,
          "not the sources of the hook",
          "hook=%s, given=%d, declared=%d"
              .formatted(hook.name(), sources.size(), hook.sources().size()),
          "give one region for each");
    }
    requireOperands(at, apply);
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

  private void requireOperands(Object at, Combine.Apply apply) {
    Set<ContextField> asked = apply.hook().asked();
    Set<ContextField> given = apply.operands().fields().keySet();
    for (ContextField field : asked) {
      if (!given.contains(field)) {
        throw complaints.fail(
            at,
            "hook lacks a field that it reads",
            "hook=" + apply.hook().name() + ", field=" + field.symbol(),
            "write " + field.symbol() + "=... after its sources");
      }
    }
    for (ContextField field : given) {
      if (!asked.contains(field)) {
        throw complaints.fail(
            at,
            "hook has a field that it does not read",
            "hook=" + apply.hook().name() + ", field=" + field.symbol(),
            "leave it out");
      }
    }
    apply.operands().fields().values().forEach(operands::names);
  }
}
