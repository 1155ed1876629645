package dev.oriel.it.options;

import dev.oriel.domain.data.DataType;
import dev.oriel.domain.data.ReduceOp;
import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.rewrite.ReductionEdits;
import dev.oriel.domain.tuning.ShippedProgram;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Changes to a program before it is bound: other elements, or other places for the caller's memory.
 * A token names the changed form, so a replay needs the same options.
 */
public final class FormOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  @Mixin private PlaceOptions places = new PlaceOptions();

  @Option(
      names = "--type",
      paramLabel = "TYPE",
      converter = OptionSpellings.OfType.class,
      description =
          "elements of a program that reduces: int8 to int64, fp8_e4m3, fp8_e5m2, fp16, bf16, fp32 or fp64 (default: as its text says)")
  private @Nullable DataType type;

  @Option(
      names = "--op",
      paramLabel = "OP",
      converter = OptionSpellings.OfOperator.class,
      description = "what it reduces by: sum, min, max, prod or avg (default: as its text says)")
  private @Nullable ReduceOp operator;

  /** The form of that name or path, with all requested changes. */
  public Form form(String program) {
    return placed(of(program), ShippedProgram.named(program).isPresent());
  }

  /** The form of that name or path, with the requested elements. */
  Form of(String program) {
    Form form = ProgramTexts.form(spec, program);
    if (type == null && operator == null) {
      return form;
    }
    Combine.Reduce by =
        ReductionEdits.first(form)
            .orElseThrow(() ->
                new ParameterException(
                    spec.commandLine(),
                    "program does not reduce: name=%s; leave out --type and --op"
                        .formatted(program)));
    return ReductionEdits.with(
        form, operator == null ? by.op() : operator, type == null ? by.type() : type);
  }

  /** The form with its buffers in the requested places. */
  Form placed(Form form, boolean shipped) {
    return places.placed(form, shipped);
  }

  @Nullable DataType type() {
    return type;
  }

  @Nullable ReduceOp operator() {
    return operator;
  }
}
