package dev.oriel.sim.machine;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.MachineException;
import dev.oriel.sim.code.WorldCode;
import dev.oriel.sim.machine.finding.Finding;
import dev.oriel.sim.machine.launch.InitialState;
import dev.oriel.sim.machine.settings.DetectorSet;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.replay.TimeoutPolicy;
import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Extrapolates the state after up to 2^63 launches from a few that are run. A value that grows by
 * the same amount in every launch, or in every second to eighth, is assumed to continue so. Two
 * runs test this: one of more launches from the first, and one of the last launches from the
 * extrapolated state before them, which must lead to the extrapolated state after them. So a value
 * that is set anew, as {@code epoch % 16} is, is not taken for one that grows. A value that changes
 * in rarer launches only can still be missed.
 *
 * <p>Memory that lanes do not read as words, or that depends on inputs, need not grow so. It holds
 * what the last launches leave, and 0 where they write nothing. A program is refused if its
 * registers, its synchronising words or other memory do not grow so.
 */
final class LaunchExtrapolation {
  private static final int MAX_PERIOD = 8;

  /**
   * The number of periods up to a fourth state that is run. In so many, values of two different
   * periods grow by different amounts.
   */
  private static final int FAR = 8;

  /** Up to so many launches are run in place of an extrapolation. */
  static final int RUN = (FAR + 3) * MAX_PERIOD;

  private static final int MAX_STEPS = 1_000_000;

  private LaunchExtrapolation() {}

  /** Runs launches of a program. */
  interface Launches {
    /** The state after the first so many launches. */
    InitialState first(int count);

    /** The state after so many more launches, from that state after {@code past} launches. */
    InitialState more(InitialState from, long past, int count);

    /**
     * The words of all memory that lanes may read as words, by number; none if inputs may decide
     * what these hold.
     */
    BitSet read();
  }

  /** A state that was extrapolated. */
  private record Memo(
      WeakReference<Program> program, Topology topology, long launches, InitialState state) {
    boolean isOf(Program other, Topology world, long count) {
      return program.refersTo(other) && topology.equals(world) && launches == count;
    }
  }

  /** The last one, as a check begins many executions in the same state. */
  private static volatile @Nullable Memo last;

  /** The state of that code after {@code launches} launches, an unsigned number. */
  static InitialState of(WorldCode code, Topology topology, long launches) {
    if (launches == 0) {
      return InitialState.ZERO;
    }
    Program program = code.ranks().getFirst().program();
    @Nullable Memo known = last;
    if (known == null || !known.isOf(program, topology, launches)) {
      InitialState state = of(launches, Simulation.launches(code, topology));
      known = new Memo(new WeakReference<>(program), topology, launches, state);
      last = known;
    }
    return known.state();
  }

  /** The state after {@code launches} launches, an unsigned number. */
  static InitialState of(long launches, Launches runs) {
    return Long.compareUnsigned(launches, RUN) <= 0
        ? runs.first((int) launches)
        : grown(launches, runs);
  }

  /** The same, extrapolated from the first few launches; {@code launches} is more than these. */
  static InitialState grown(long launches, Launches runs) {
    InitialState[] after = new InitialState[4 * MAX_PERIOD + 1];
    BitSet read = runs.read();
    @Nullable MachineException failed = null;
    for (int period = 1; period <= MAX_PERIOD; period++) {
      // In the first period some values are still those of the begin.
      int first = period + 1 + (int) Long.remainderUnsigned(launches - 1, period);
      InitialState[] three = new InitialState[3];
      for (int i = 0; i < 3; i++) {
        int count = first + i * period;
        after[count] = after[count] == null ? runs.first(count) : after[count];
        three[i] = after[count];
      }
      Growth growth = new Growth(three);
      if (growth.even(read)) {
        long times = Long.divideUnsigned(launches - first, period);
        InitialState there = growth.after(times);
        try {
          InitialState far = runs.first(first + FAR * period);
          InitialState run = runs.more(growth.after(times - 1), launches - period, period);
          if (leadsTo(growth.after(FAR), far, read) && leadsTo(there, run, read)) {
            return run;
          }
        } catch (MachineException e) {
          // Launches that end well from the first one on do not end well from there.
          failed = e;
        }
      }
    }
    if (failed != null) {
      throw failed;
    }
    throw new MachineException(
        "cannot begin after launches that were not run: launches=%s; a state, a signal or a word that lanes read grows by no fixed amount in 1 to %d launches"
            .formatted(Long.toUnsignedString(launches), MAX_PERIOD));
  }

  /** How each value grows from one of three states to the next. */
  private static final class Growth {
    private final InitialState first;
    private final InitialState second;

    /** Which words of memory grow evenly. */
    private final BitSet even = new BitSet();

    private final boolean others;

    Growth(InitialState[] three) {
      first = three[0];
      second = three[1];
      others =
          even(first.registers, second.registers, three[2].registers).nextClearBit(0)
                  == first.registers.length
              && even(first.words, second.words, three[2].words).nextClearBit(0)
                  == first.words.length;
      even.or(even(first.memory, second.memory, three[2].memory));
    }

    private static BitSet even(long[] first, long[] second, long[] third) {
      BitSet even = new BitSet();
      for (int i = 0; i < first.length; i++) {
        even.set(i, third[i] - second[i] == second[i] - first[i]);
      }
      return even;
    }

    /** Whether all registers, all words and the memory that is read grow evenly. */
    boolean even(BitSet read) {
      BitSet odd = (BitSet) read.clone();
      odd.andNot(even);
      return others && odd.isEmpty();
    }

    InitialState after(long times) {
      long[] memory = grown(first.memory, second.memory, times);
      for (int i = even.nextClearBit(0); i < memory.length; i = even.nextClearBit(i + 1)) {
        memory[i] = 0;
      }
      return new InitialState(
          grown(first.registers, second.registers, times),
          grown(first.words, second.words, times),
          memory);
    }

    private static long[] grown(long[] first, long[] second, long times) {
      long[] all = new long[first.length];
      for (int i = 0; i < all.length; i++) {
        all[i] = first[i] + times * (second[i] - first[i]);
      }
      return all;
    }
  }

  /** Whether the run state is the expected one, in all that matters to lanes. */
  private static boolean leadsTo(InitialState expected, InitialState run, BitSet read) {
    boolean same =
        Arrays.equals(expected.registers, run.registers)
            && Arrays.equals(expected.words, run.words);
    for (int i = read.nextSetBit(0); same && i >= 0; i = read.nextSetBit(i + 1)) {
      same = expected.memory[i] == run.memory[i];
    }
    return same;
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
            "cannot begin after launches that do not end well: launches=%d%s, found=%s; begin with the first"
                .formatted(
                    simulation.settings().launches(),
                    after(simulation.settings().past()),
                    found.map(f -> f.kind().word()).orElse("no end")));
      }
      return true;
    });
  }

  private static String after(long past) {
    return past == 0 ? "" : " after " + Long.toUnsignedString(past);
  }

  private static boolean goesOn(Simulation simulation) {
    return !simulation.endless() && simulation.enabled() > 0;
  }
}
