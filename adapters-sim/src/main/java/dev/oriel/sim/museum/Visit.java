package dev.oriel.sim.museum;

import java.util.List;

/**
 * What a visit to an exhibit with programs showed.
 *
 * @param complaints what was not as the exhibit promises; empty if the failure was found for its
 *     own reason and the repair holds
 */
public record Visit(Exhibit exhibit, Shown broken, Shown twin, List<String> complaints) {

  public Visit {
    complaints = List.copyOf(complaints);
  }

  /** Whether all is as promised; of a failure that is known to be missed nothing is promised. */
  public boolean fine() {
    return complaints.isEmpty() && !exhibit.missed();
  }
}
