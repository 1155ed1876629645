package dev.oriel.it.options;

import dev.oriel.domain.msccl.MscclDefect;
import dev.oriel.domain.msccl.MscclDefects;
import dev.oriel.domain.msccl.MscclPlan;
import dev.oriel.domain.msccl.MscclTranslation;
import dev.oriel.domain.msccl.MscclVariant;
import dev.oriel.domain.msccl.TranslatedPlan;
import dev.oriel.domain.program.Form;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** A plan of a file, and its programs: one for each kind of call that decides it. */
public final class PlanPrograms {
  private final MscclPlan plan;
  private final List<TranslatedPlan> programs;

  PlanPrograms(MscclPlan plan) {
    this.plan = plan;
    programs =
        MscclVariant.of(plan).stream()
            .map(variant -> MscclTranslation.of(plan, variant))
            .toList();
  }

  public MscclPlan plan() {
    return plan;
  }

  /** Mistakes for which nothing has to be executed. */
  public List<MscclDefect> defects() {
    return MscclDefects.of(plan);
  }

  /** The world of the plan: all gpus on one host, as far as the file says. */
  String world() {
    return "1x" + plan.world();
  }

  /** All programs, or only those of calls in place. */
  List<Form> forms(CommandSpec spec, boolean inPlace) {
    List<Form> forms =
        programs.stream()
            .filter(program -> !inPlace || program.variant().inPlace())
            .map(TranslatedPlan::form)
            .toList();
    if (forms.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          "plan for no call in place: plan=%s, inplace=0; leave out --in-place"
              .formatted(plan.name()));
    }
    return forms;
  }

  /** The program of that form; empty if options changed the form. */
  Optional<TranslatedPlan> translated(Form form) {
    return programs.stream()
        .filter(program -> program.form().lanes().equals(form.lanes()))
        .findFirst();
  }
}
