package dev.oriel.it.options;

import dev.oriel.domain.msccl.ImportedPlan;
import dev.oriel.domain.msccl.MscclDefect;
import dev.oriel.domain.msccl.SizeClass;
import dev.oriel.domain.msccl.TranslatedPlan;
import dev.oriel.domain.program.Form;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** A plan of a file, and its programs: one for each kind of call that decides it. */
public final class PlanPrograms {
  private final ImportedPlan plan;
  private final List<TranslatedPlan> programs;

  PlanPrograms(ImportedPlan plan) {
    this.plan = plan;
    programs = plan.programs();
  }

  /** The plan of that file, for calls of every kind; empty if the file has no plan. */
  public static Optional<PlanPrograms> of(CommandSpec spec, Path file, PlanMode mode) {
    return ProgramTexts.plan(spec, file.toString(), mode).map(PlanPrograms::new);
  }

  public ImportedPlan plan() {
    return plan;
  }

  /** Mistakes for which nothing has to be executed. */
  public List<MscclDefect> defects() {
    return plan.defects();
  }

  /** The kinds of calls that a check covers, in words. */
  public List<String> calls() {
    return programs.stream().map(TranslatedPlan::calls).toList();
  }

  /**
   * The world of the plan: all gpus on one host, since connections are modelled as mapped memory.
   */
  public String world() {
    return "1x" + plan.world();
  }

  public List<Form> forms() {
    return programs.stream().map(TranslatedPlan::form).toList();
  }

  /** All programs, or only those of calls in place. */
  List<Form> forms(CommandSpec spec, boolean inPlace) {
    List<Form> forms =
        programs.stream()
            .filter(program -> !inPlace || program.inPlace())
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

  /** All sizes of calls in the place of that program, the smallest first. */
  public List<SizeClass> sizes(TranslatedPlan program) {
    return plan.sizes().stream().filter(size -> size.inPlace() == program.inPlace()).toList();
  }

  /** What is right and may surprise all the same, in words. */
  public Optional<String> note() {
    return plan.note();
  }

  /** What the model leaves out of every plan, in words. */
  public List<String> unmodelled() {
    return plan.unmodelled();
  }

  /** The program of that form; empty if options changed the form. */
  public Optional<TranslatedPlan> translated(Form form) {
    return programs.stream()
        .filter(program -> program.form().lanes().equals(form.lanes()))
        .findFirst();
  }
}
