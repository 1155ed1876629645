package dev.oriel.sim.museum;

import dev.oriel.sim.machine.terms.Detectors;
import dev.oriel.sim.machine.terms.Profile;
import dev.oriel.sim.replay.FaultPlan;
import dev.oriel.sim.replay.Timeouts;
import dev.oriel.sim.search.Strategy;
import java.util.List;

/**
 * The programs of an exhibit and where the failure shows.
 *
 * @param profile the hardware with the most order under which it shows
 * @param strategy the simplest that finds it
 * @param threads whether lanes stand for the threads of one group, since inside a lane whoever
 *     lowers a program sets the barriers, and none can be left out
 * @param without what leaves out of it what the program itself models
 * @param larger a world in which it shows at the same places; empty if none is given
 */
public record Showcase(
    String world,
    Profile profile,
    Strategy strategy,
    int launches,
    Timeouts timeouts,
    FaultPlan faults,
    Alarm alarm,
    String larger,
    boolean threads,
    List<Without> without,
    Edit edit) {

  public Showcase {
    without = List.copyOf(without);
  }

  Conditions conditions() {
    return new Conditions(world, profile, launches, timeouts, faults, Detectors.ALL);
  }
}
