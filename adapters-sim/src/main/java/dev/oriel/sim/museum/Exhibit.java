package dev.oriel.sim.museum;

import java.util.List;
import java.util.Optional;

/**
 * One real failure.
 *
 * @param rows the rows of the catalogue of failures that it stands for; the first is its name
 * @param source where the failure was reported or repaired
 * @param story two sentences: what was wrong, and what came of it
 * @param needs what a simulator has to model to show it
 * @param showcase its programs; empty if no program can say it
 * @param reason why no program can say it, or why the failure is not found although one does; empty
 *     if it is found
 */
public record Exhibit(
    List<String> rows,
    Family family,
    String source,
    String story,
    List<Need> needs,
    Optional<Showcase> showcase,
    String reason) {

  public Exhibit {
    rows = List.copyOf(rows);
    needs = List.copyOf(needs);
  }

  /** Its name: the first of its rows. */
  public String id() {
    return rows.getFirst();
  }

  /** Whether it stands for that row, in whatever letters. */
  public boolean isOf(String row) {
    return rows.stream().anyMatch(mine -> mine.equalsIgnoreCase(row));
  }

  /** Whether a program says it and the failure is known not to be found. */
  public boolean missed() {
    return showcase.isPresent() && !reason.isEmpty();
  }
}
