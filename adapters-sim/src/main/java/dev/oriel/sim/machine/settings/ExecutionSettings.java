package dev.oriel.sim.machine.settings;

import dev.oriel.ports.MachineException;
import dev.oriel.sim.replay.FaultPlan;
import dev.oriel.sim.replay.TimeoutPolicy;

/**
 * The conditions of an execution, besides its schedule.
 *
 * @param past how many launches, as an unsigned number, are assumed to have run before; the first
 *     launch has the next epoch
 * @param missing whether an await may miss every value that satisfies it, see {@code MissedAwaits}
 * @param draw the number of the draw of input words that lanes load, see {@code InputContents}
 * @param closing whether launches may end after any one, at most {@code launches}, and states that
 *     differ only in how many preceded count as one, see {@code LaunchRelativeDigest}
 */
public record ExecutionSettings(
    Profile profile,
    int launches,
    DetectorSet detectors,
    TimeoutPolicy timeouts,
    FaultPlan faults,
    long past,
    boolean missing,
    long draw,
    boolean closing) {
  /** More launches than a token may hold; each takes room in every rank. */
  private static final int MAX_LAUNCHES = 1 << 20;

  public ExecutionSettings {
    if (launches > MAX_LAUNCHES) {
      throw new MachineException(
          "too many launches in one execution: launches=%d, max=%d; use fewer"
              .formatted(launches, MAX_LAUNCHES));
    }
  }

  /** Conditions without faults, from the first launch on. */
  public ExecutionSettings(
      Profile profile, int launches, DetectorSet detectors, TimeoutPolicy timeouts) {
    this(profile, launches, detectors, timeouts, FaultPlan.NONE, 0, false, 0, false);
  }

  /** The same with those faults. */
  public ExecutionSettings with(FaultPlan plan) {
    return new ExecutionSettings(
        profile, launches, detectors, timeouts, plan, past, missing, draw, closing);
  }

  /** The same, with other detectors. */
  public ExecutionSettings looking(DetectorSet other) {
    return new ExecutionSettings(
        profile, launches, other, timeouts, faults, past, missing, draw, closing);
  }

  /** The same, where an await may miss every value that satisfies it. */
  public ExecutionSettings missingAwaits() {
    return new ExecutionSettings(
        profile, launches, detectors, timeouts, faults, past, true, draw, closing);
  }

  /** The same with another draw of input words. */
  public ExecutionSettings drawing(long other) {
    return new ExecutionSettings(
        profile, launches, detectors, timeouts, faults, past, missing, other, closing);
  }

  /** The same with so many launches. */
  public ExecutionSettings launches(int other) {
    return new ExecutionSettings(
        profile, other, detectors, timeouts, faults, past, missing, draw, closing);
  }

  /** The same for any number of launches, of which at most so many are explored. */
  public ExecutionSettings closing(int most) {
    return new ExecutionSettings(
        profile, most, detectors, timeouts, faults, past, missing, draw, true);
  }

  /** The same after that many earlier launches. */
  public ExecutionSettings after(long launchesBefore) {
    return new ExecutionSettings(
        profile, launches, detectors, timeouts, faults, launchesBefore, missing, draw, closing);
  }
}
