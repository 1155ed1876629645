package dev.oriel.domain.boundary;

import dev.oriel.domain.program.Form;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** How many turns the loops of a form's text have. */
public final class LoopTurns {
  private final Form form;
  private final List<OperandThreshold.Turns> loops;

  /** Of that form. */
  public LoopTurns(Form form) {
    this.form = form;
    this.loops =
        TextThresholds.of(form).stream()
            .filter(OperandThreshold.Turns.class::isInstance)
            .map(OperandThreshold.Turns.class::cast)
            .toList();
  }

  /**
   * The most turns of one loop at rank 0, as far as binding knows; loops within loops count alone.
   *
   * @param params values of all parameters
   */
  public long most(int world, Map<String, Long> params) {
    BoundNames names = new BoundNames(form, world, 0, params);
    return loops.stream()
        .map(loop -> names.value(loop.count(), loop.zeros()))
        .flatMapToLong(OptionalLong::stream)
        .max()
        .orElse(0);
  }
}
