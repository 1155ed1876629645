package dev.oriel.it.check;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Form;
import java.util.stream.Collectors;

/** Parameter values in words, each with the range that the program declares. */
final class ParamWords {
  private ParamWords() {}

  /** The program's name and parameter values. */
  static String program(Program program) {
    return program.form().name()
        + program.form().params().stream()
            .sorted((a, b) -> a.name().compareTo(b.name()))
            .map(param -> ", " + value(param, program.params().get(param.name())))
            .collect(Collectors.joining());
  }

  private static String value(Form.Param param, Long value) {
    return "%s=%d of 0..%d".formatted(param.name(), value, param.max());
  }
}
