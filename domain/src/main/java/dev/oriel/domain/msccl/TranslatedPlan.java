package dev.oriel.domain.msccl;

import dev.oriel.domain.program.Form;
import java.util.List;
import java.util.Map;

/**
 * The program of a plan for one kind of call.
 *
 * @param calls the kind of call in words
 * @param leastBytes the smallest size of such a call
 * @param steps for each lane the step of every operation, in the order of the program's text, an
 *     operation before those of its blocks
 */
public record TranslatedPlan(
    String calls, boolean inPlace, long leastBytes, Form form, Map<String, List<PlanStep>> steps) {
  public TranslatedPlan {
    steps = Map.copyOf(steps);
  }
}
