package dev.oriel.sim.museum;

import dev.oriel.sim.machine.Profile;
import dev.oriel.sim.replay.FaultPlan;
import dev.oriel.sim.replay.Timeouts;
import dev.oriel.sim.search.Strategy;

/**
 * The programs of an exhibit and where the failure shows.
 *
 * @param profile the hardware with the most order under which it shows
 * @param strategy the simplest that finds it
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
    Edit edit) {}
