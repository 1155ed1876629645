package dev.oriel.sim.machine.launch;

import dev.oriel.ports.MachineException;
import dev.oriel.sim.code.WorldCode;
import dev.oriel.sim.machine.fault.FaultInjector;
import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import dev.oriel.sim.replay.TimeoutPolicy;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Whether states of later launches can be compared with states of earlier ones, so that a search
 * may cover any number of launches. That is not possible where steps depend on bytes of inputs,
 * which differ from launch to launch, nor where values grow in no fixed way.
 *
 * <p>Words of inputs that lanes load are an exception. In each launch they have one of a few turns,
 * and the search tries each of them, whatever the launches before had. So they do not depend on the
 * number of the launch: from alike states, launches have the same choice of words.
 *
 * @param digest equal for states that are alike; null where that is not possible
 * @param against why it is not possible; empty where it is
 * @param enough launches after which the search stops: states that differ by then hardly repeat
 */
public record LaunchClosure(@Nullable LaunchRelativeDigest digest, String against, int enough) {
  /**
   * The most bytes of inputs, over all launches, where lanes combine bytes: each combined byte is
   * recorded.
   */
  private static final int MAX_COMBINED = 1 << 21;

  /** The most bytes of words that lanes load, over all launches. */
  private static final long MAX_WORDS = 1 << 20;

  /**
   * Most programs repeat after a few launches; these leave room for slots that are used in turn.
   */
  private static final int PERIODS = 3;

  private static final int MORE = 5;

  /** Where lengths vary, memory holds remains of several launches. */
  private static final int MORE_WITH_WORDS = 28;

  public static LaunchClosure of(MachineModel model, ExecutionSettings settings, Growth growth) {
    String against = against(model, settings);
    if (!against.isEmpty()) {
      return none(against);
    }
    String large = large(model, PERIODS + MORE);
    if (!large.isEmpty()) {
      return none(large);
    }
    LaunchSlopes.Result found = LaunchSlopes.of(model, growth);
    if (found.slopes().isEmpty()) {
      return none(found.against());
    }
    LaunchSlopes slopes = found.slopes().get();
    if (slopes.reachesCaller()) {
      return none("values that grow reach buffers of the caller");
    }
    int more = model.inputs.round() > 0 ? MORE_WITH_WORDS : MORE;
    int enough = slopes.settled() + PERIODS * slopes.period() + more;
    large = large(model, enough);
    if (!large.isEmpty()) {
      return none(large);
    }
    if (ShiftedOrigins.words(model) * (enough + 2) > MAX_WORDS) {
      return none("words of inputs are too many to record");
    }
    ShiftedOrigins origins = new ShiftedOrigins(model, enough);
    return new LaunchClosure(new LaunchRelativeDigest(model, slopes, origins), "", enough);
  }

  /** Whether so many launches combine more bytes than are recorded; empty if not. */
  private static String large(MachineModel model, int launches) {
    if (!model.makings.combines()) {
      return "";
    }
    long inputs = 0;
    for (int m = 0; m < model.bytes.length; m++) {
      inputs += model.space(m % model.buffers).filled() ? model.bytes[m] : 0;
    }
    return inputs * (launches + 1L) > MAX_COMBINED
        ? "inputs are too large to record what is combined: bytes=%d, max=%d"
            .formatted(inputs, MAX_COMBINED / (launches + 1))
        : "";
  }

  private static LaunchClosure none(String against) {
    return new LaunchClosure(null, against, 0);
  }

  private static String against(MachineModel model, ExecutionSettings settings) {
    if (settings.past() != 0 || settings.draw() != 0 || settings.missing()) {
      return "executions do not begin with the first launch";
    }
    if (settings.timeouts() != TimeoutPolicy.NEVER) {
      return "waits may give up";
    }
    if (model.profile.proxy() || model.cells || model.registrations >= 0) {
      return "proxies, whole stores of 16 bytes and registrations are not looked at";
    }
    if (model.profile.anyStart()) {
      return "lanes begin in any order";
    }
    if (model.code.form().ensures().stream()
        .flatMap(e -> e.when().stream())
        .anyMatch(w -> !model.space(model.code.form().bufferIndex(w.word().buffer())).taken())) {
      // The caller compares a word that may grow from launch to launch.
      return "a condition of a post-condition reads scratch memory";
    }
    if (new FaultInjector(model, settings.faults()).any) {
      return "faults count steps of all launches";
    }
    return new InputTaint(model, settings, true).against();
  }

  /** How registers and words grew in launches that were run. */
  public static final class Growth implements LaunchSlopes.Guess {
    /** Launches that are run first, and how many more: a multiple of most periods. */
    private static final int BEFORE = 4;

    private static final int MORE = 12;

    private final WorldCode code;

    /** Gives the initial state after so many launches, whose outputs are not judged. */
    private final IntFunction<InitialState> runs;

    /** Run at the first question, as most programs need no guess. */
    private boolean ran;

    private @Nullable InitialState before;
    private @Nullable InitialState after;

    public Growth(WorldCode code, IntFunction<InitialState> runs) {
      this.code = code;
      this.runs = runs;
    }

    private void run() {
      if (ran) {
        return;
      }
      ran = true;
      try {
        InitialState first = runs.apply(BEFORE);
        after = runs.apply(BEFORE + MORE);
        before = first;
      } catch (MachineException e) {
        // Without a guess, values that no comparison with the epoch fixes do not grow.
        before = null;
      }
    }

    @Override
    public long register(int lane, int number, int period) {
      run();
      int at = number;
      for (int l = 0; l < lane; l++) {
        at += code.lanes().get(l).persistent();
      }
      return before == null || after == null || number >= code.lanes().get(lane).persistent()
          ? 0
          : in(period, after.registers[at] - before.registers[at]);
    }

    @Override
    public long word(int number, int period) {
      run();
      return before == null || after == null
          ? 0
          : in(period, after.words[number] - before.words[number]);
    }

    private static long in(int period, long growth) {
      return growth * period % MORE == 0 ? growth * period / MORE : 0;
    }
  }
}
