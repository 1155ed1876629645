package dev.oriel.sim.levels;

import java.io.Serializable;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The counts of a part of a level, of a level, or of a search. They travel with the states as data,
 * so that what is computed twice counts once.
 *
 * @param states that were reached first there
 * @param work the words of all states that were reached, also of those that were not new
 * @param endless whether some step did not end
 * @param violation the least path to a violation, as bytes of {@link NodeBlock}; null if none
 * @param rooms larger rooms that some state needs; empty if all have room
 */
@SuppressWarnings("ArrayRecordComponent") // never changed
public record LevelCount(
    long states,
    long steps,
    long executions,
    long work,
    SearchCuts cuts,
    boolean endless,
    byte @Nullable [] violation,
    Map<String, Integer> rooms)
    implements Serializable {
  /** Nothing. */
  public static final LevelCount NONE =
      new LevelCount(0, 0, 0, 0, SearchCuts.NONE, false, null, Map.of());

  /** So many states, and nothing else. */
  public static LevelCount of(long states) {
    return new LevelCount(states, 0, 0, 0, SearchCuts.NONE, false, null, Map.of());
  }

  /** Whether it is complete and nothing in it ends the search. */
  public boolean goesOn() {
    return !endless && violation == null && rooms.isEmpty();
  }

  /** Both together. */
  public LevelCount and(LevelCount other) {
    TreeMap<String, Integer> all = new TreeMap<>(rooms);
    other.rooms.forEach((part, room) -> all.merge(part, room, Math::max));
    return new LevelCount(
        Math.addExact(states, other.states),
        Math.addExact(steps, other.steps),
        Math.addExact(executions, other.executions),
        Math.addExact(work, other.work),
        cuts.and(other.cuts),
        endless || other.endless,
        least(violation, other.violation),
        all);
  }

  private static byte @Nullable [] least(byte @Nullable [] one, byte @Nullable [] other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return Arrays.compareUnsigned(one, other) <= 0 ? one : other;
  }
}
