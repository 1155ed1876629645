package dev.oriel.sim.museum;

import dev.oriel.sim.machine.settings.DetectorSet;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.replay.FaultPlan;
import dev.oriel.sim.replay.TimeoutPolicy;
import dev.oriel.sim.search.Strategy;
import java.util.List;

/**
 * The programs of an exhibit and the conditions under which the failure shows.
 *
 * @param profile the profile with the most order under which it shows
 * @param strategy the simplest that finds it
 * @param threads whether lanes represent the threads of one group; inside a lane, lowering adds the
 *     barriers, and none can be left out
 * @param without changes of its text that remove features which the program itself models
 * @param larger a world in which it shows at the same places; empty if none is given
 */
public record CaseStudyPrograms(
    String world,
    Profile profile,
    Strategy strategy,
    int launches,
    TimeoutPolicy timeouts,
    FaultPlan faults,
    ExpectedAlarm alarm,
    String larger,
    boolean threads,
    List<FeatureRemoval> without,
    ProgramRepair edit) {

  public CaseStudyPrograms {
    without = List.copyOf(without);
  }

  RunConditions conditions() {
    return new RunConditions(world, profile, launches, timeouts, faults, DetectorSet.ALL);
  }
}
