package dev.oriel.sim.museum;

import java.util.List;
import java.util.Optional;

/**
 * One real failure.
 *
 * @param rows the rows of the catalogue of failures that it covers; the first is its name
 * @param source where the failure was reported or repaired
 * @param story two sentences: the mistake, and its consequence
 * @param needs the features that a simulator must model to show it
 * @param showcase its programs; empty if no program can express it
 * @param reason why no program can express it, or why the failure is not found although one does;
 *     empty if it is found
 */
public record CaseStudy(
    List<String> rows,
    FailureFamily family,
    String source,
    String story,
    List<RequiredFeature> needs,
    Optional<CaseStudyPrograms> showcase,
    String reason) {

  public CaseStudy {
    rows = List.copyOf(rows);
    needs = List.copyOf(needs);
  }

  /** Its name: the first of its rows. */
  public String id() {
    return rows.getFirst();
  }

  /** Whether it covers that row; upper and lower case are equal. */
  public boolean isOf(String row) {
    return rows.stream().anyMatch(mine -> mine.equalsIgnoreCase(row));
  }

  /** Whether a program expresses it but the failure is known not to be found. */
  public boolean missed() {
    return showcase.isPresent() && !reason.isEmpty();
  }
}
