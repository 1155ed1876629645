package dev.oriel.domain.msccl;

import dev.oriel.domain.program.TextPosition;

/** A step of a plan as reports name it. */
public interface PlanStep {
  /** The ids of its file, such as {@code gpu 3, tb 5, step 12}. */
  String ids();

  /** The ids and what the step does, for a person. */
  String words();

  /** Its place in the file. */
  TextPosition at();
}
