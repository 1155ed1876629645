package dev.oriel.it.options;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.boundary.UnreachedBlocks;
import dev.oriel.domain.program.Form;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A form whose parameters differ between launches, as it was before that change.
 *
 * @param values those that the parameters have together in some launch
 * @param source the lines of its text
 */
public record VariedForm(Form before, List<Map<String, Long>> values, Optional<SourceText> source) {
  public VariedForm {
    values = List.copyOf(values);
  }

  /** How the form is bound in the launches of a program. */
  public Stream<UnreachedBlocks.Binding> bindings(Program program) {
    return values.stream()
        .map(some -> {
          Map<String, Long> params = new HashMap<>(program.params());
          params.putAll(some);
          return new UnreachedBlocks.Binding(program.world(), params);
        });
  }
}
