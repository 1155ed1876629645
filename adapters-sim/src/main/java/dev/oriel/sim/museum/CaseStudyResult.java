package dev.oriel.sim.museum;

import java.util.List;

/**
 * The result of running an exhibit's case study.
 *
 * @param complaints the deviations from the exhibit's promises; empty if the failure was found for
 *     its own reason and the repair holds
 */
public record CaseStudyResult(
    CaseStudy exhibit, ProgramResult broken, ProgramResult twin, List<String> complaints) {

  public CaseStudyResult {
    complaints = List.copyOf(complaints);
  }

  /** Whether everything is as promised; false for a failure that is known to be missed. */
  public boolean fine() {
    return complaints.isEmpty() && !exhibit.missed();
  }
}
