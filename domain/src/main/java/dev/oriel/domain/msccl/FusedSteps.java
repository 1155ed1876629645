package dev.oriel.domain.msccl;

import dev.oriel.domain.msccl.MscclPlan.Dependency;
import dev.oriel.domain.msccl.MscclPlan.Step;
import dev.oriel.domain.msccl.MscclPlan.ThreadBlock;
import java.util.ArrayList;
import java.util.List;

/**
 * Steps that a runtime executes at once: one step, or consecutive ones that add to the same chunks.
 *
 * @param dependencies all that it waits for, also those of {@code nop} steps before it
 */
record FusedSteps(List<Dependency> dependencies, List<Step> steps) {
  /** The most sources that are added at once. */
  private static final int MOST_SOURCES = 16;

  FusedSteps {
    dependencies = List.copyOf(dependencies);
    steps = List.copyOf(steps);
  }

  /** The transfers of a block, in order. */
  static List<FusedSteps> of(ThreadBlock block) {
    List<FusedSteps> transfers = new ArrayList<>();
    List<Dependency> dependencies = new ArrayList<>();
    List<Step> steps = new ArrayList<>();
    for (Step step : block.steps()) {
      if (!steps.isEmpty() && !joins(steps, step)) {
        transfers.add(new FusedSteps(dependencies, steps));
        dependencies.clear();
        steps.clear();
      }
      step.dependency().ifPresent(dependencies::add);
      if (step.type() != StepType.NOP) {
        steps.add(step);
      }
    }
    if (!steps.isEmpty()) {
      transfers.add(new FusedSteps(dependencies, steps));
    }
    return transfers;
  }

  /** Whether a step is executed together with those before it. */
  private static boolean joins(List<Step> before, Step step) {
    Step first = before.getFirst();
    return first.type() == StepType.RE
        && step.type() == StepType.RE
        && step.dependency().isEmpty()
        && !before.getLast().announced()
        && before.size() < MOST_SOURCES
        && step.destination().equals(first.destination())
        && step.count() == first.count()
        && step.source().orElseThrow().buffer() == first.source().orElseThrow().buffer();
  }

  Step first() {
    return steps.getFirst();
  }

  Step last() {
    return steps.getLast();
  }
}
