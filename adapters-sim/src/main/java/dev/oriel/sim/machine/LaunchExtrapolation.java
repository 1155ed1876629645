package dev.oriel.sim.machine;

import dev.oriel.ports.MachineException;
import dev.oriel.sim.machine.finding.Finding;
import dev.oriel.sim.machine.launch.InitialState;
import dev.oriel.sim.machine.settings.DetectorSet;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.replay.TimeoutPolicy;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * Extrapolates the state after up to 2^63 launches from a few that are run. A value that grows by
 * the same amount in every launch, or in every second, third or fourth, is assumed to continue so.
 * Plain memory that does not grow so is assumed to be 0. A program whose registers or synchronising
 * words do not is refused.
 */
final class LaunchExtrapolation {
  private static final int MAX_PERIOD = 4;

  /** How many launches are run at most; a period needs no more. */
  static final int RUN = 3 * MAX_PERIOD;

  private static final int MAX_STEPS = 1_000_000;

  private LaunchExtrapolation() {}

  /** The state after {@code launches} launches, an unsigned number; {@code runs} runs a few. */
  static InitialState of(long launches, IntFunction<InitialState> runs) {
    if (launches == 0) {
      return InitialState.ZERO;
    }
    return Long.compareUnsigned(launches, RUN) <= 0
        ? runs.apply((int) launches)
        : grown(launches, runs);
  }

  /** The same, extrapolated from the first few launches. */
  static InitialState grown(long launches, IntFunction<InitialState> runs) {
    InitialState[] after = new InitialState[RUN + 1];
    for (int period = 1; period <= MAX_PERIOD; period++) {
      int first = 1 + (int) Long.remainderUnsigned(launches - 1, period);
      InitialState[] three = new InitialState[3];
      for (int i = 0; i < 3; i++) {
        int count = first + i * period;
        after[count] = after[count] == null ? runs.apply(count) : after[count];
        three[i] = after[count];
      }
      long times = Long.divideUnsigned(launches - first, period);
      Optional<long[]> registers =
          all(three[0].registers, three[1].registers, three[2].registers, times);
      Optional<long[]> words = all(three[0].words, three[1].words, three[2].words, times);
      if (registers.isPresent() && words.isPresent()) {
        long[] memory = new long[three[0].memory.length];
        for (int i = 0; i < memory.length; i++) {
          long growth = three[1].memory[i] - three[0].memory[i];
          boolean even = three[2].memory[i] - three[1].memory[i] == growth;
          memory[i] = even ? three[0].memory[i] + times * growth : 0;
        }
        return new InitialState(registers.get(), words.get(), memory);
      }
    }
    throw new MachineException(
        "cannot begin after launches that were not run: launches=%s; a state or a signal grows by no fixed amount in 1 to %d launches"
            .formatted(Long.toUnsignedString(launches), MAX_PERIOD));
  }

  /** Extrapolates the three values of each item; empty if one does not grow evenly. */
  private static Optional<long[]> all(long[] first, long[] second, long[] third, long times) {
    long[] all = new long[first.length];
    for (int i = 0; i < all.length; i++) {
      long growth = second[i] - first[i];
      if (third[i] - second[i] != growth) {
        return Optional.empty();
      }
      all[i] = first[i] + times * growth;
    }
    return Optional.of(all);
  }

  /** The settings for running that many launches to their end, whatever is found. */
  static ExecutionSettings running(int launches) {
    return new ExecutionSettings(Profile.L0, launches, DetectorSet.VALUES, TimeoutPolicy.NEVER);
  }

  /**
   * Runs one execution to its end; the first enabled agent is always next. A step without an end
   * leaves its lane where no step may begin.
   */
  static void run(Simulation simulation) {
    simulation.exploring(() -> {
      simulation.restart();
      Optional<Finding> found = Optional.empty();
      for (int i = 0; i < MAX_STEPS && goesOn(simulation) && found.isEmpty(); i++) {
        found = simulation.step(simulation.enabledAt(0), options -> 0);
      }
      boolean ended = !simulation.endless() && simulation.enabled() == 0;
      found = found.isEmpty() && ended ? simulation.end() : found;
      if (found.isPresent() || !ended) {
        throw new MachineException(
            "cannot begin after launches that do not end well: launches=%d, found=%s; begin with the first"
                .formatted(
                    simulation.settings().launches(),
                    found.map(f -> f.kind().word()).orElse("no end")));
      }
      return true;
    });
  }

  private static boolean goesOn(Simulation simulation) {
    return !simulation.endless() && simulation.enabled() > 0;
  }
}
