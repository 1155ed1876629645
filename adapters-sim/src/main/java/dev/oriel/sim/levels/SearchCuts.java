package dev.oriel.sim.levels;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * What the executions of a search left out although the search ended, and what never happened in
 * them.
 *
 * @param sums some ways to make up an awaited sum
 * @param overtaking some orders of requests that overtake one another
 * @param polls some polls of rank code
 * @param packets other contents of packets, because a flag came to a place that still held it
 * @param held the post-conditions whose condition held in some execution, one bit for each
 */
public record SearchCuts(
    boolean sums, boolean overtaking, boolean polls, boolean packets, long held)
    implements Serializable {
  public static final SearchCuts NONE = new SearchCuts(false, false, false, false, 0);

  /** Whether the executions left out anything. */
  public boolean any() {
    return sums || overtaking || polls || packets;
  }

  /** What these executions or the others left out. */
  public SearchCuts and(SearchCuts other) {
    return new SearchCuts(
        sums || other.sums,
        overtaking || other.overtaking,
        polls || other.polls,
        packets || other.packets,
        held | other.held);
  }

  /** The bounds of every execution, whatever the strategy. */
  public List<String> bounds() {
    List<String> bounds = new ArrayList<>();
    if (sums) {
      bounds.add(
          "sums: some ways to make up an awaited sum were left out, beyond 64 or 65536 tried");
    }
    if (overtaking) {
      bounds.add(
          "overtaking: a queue had too many unordered requests in flight, so some were executed in order; wait for them more often");
    }
    if (polls) {
      bounds.add(
          "looks: a third look in a row with the same answer always waited for another agent's step");
    }
    return bounds;
  }
}
