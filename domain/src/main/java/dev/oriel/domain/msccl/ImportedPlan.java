package dev.oriel.domain.msccl;

import java.util.List;
import java.util.Optional;

/**
 * A plan of a file, of whatever format, as far as a check needs it.
 *
 * @param kind the collective, the number of gpus and the protocol, in words
 * @param defects mistakes for which nothing has to be executed
 * @param programs one for each kind of call that decides the plan
 * @param sizes all sizes that are known to differ, by place, from the smallest on
 * @param note what is right and may surprise all the same, in words
 * @param unmodelled what the model leaves out of every plan, in words
 */
public record ImportedPlan(
    String name,
    String kind,
    int world,
    List<MscclDefect> defects,
    List<TranslatedPlan> programs,
    List<SizeClass> sizes,
    Optional<String> note,
    List<String> unmodelled) {
  public ImportedPlan {
    defects = List.copyOf(defects);
    programs = List.copyOf(programs);
    sizes = List.copyOf(sizes);
    unmodelled = List.copyOf(unmodelled);
  }
}
