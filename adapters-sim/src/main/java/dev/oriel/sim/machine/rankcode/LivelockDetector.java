package dev.oriel.sim.machine.rankcode;

import dev.oriel.sim.machine.agent.SimulatedMachine;
import dev.oriel.sim.machine.driver.LaneDriver;
import dev.oriel.sim.machine.finding.Finding;
import dev.oriel.sim.machine.finding.Finding.Kind;
import dev.oriel.sim.machine.fingerprint.Fingerprint;
import dev.oriel.sim.machine.state.MachineState;
import dev.oriel.sim.replay.ChoiceSource;
import dev.oriel.sim.replay.TimeoutPolicy;
import org.jspecify.annotations.Nullable;

/**
 * Detects that guided lanes repeat a round for ever. A round has the same calls with the same
 * answers, memory is unchanged after it, and every enabled agent takes part.
 *
 * <p>State inside the lanes' code is invisible here, such as a count of tries. So a round counts as
 * endless only after many repetitions, and the finding says what is certain.
 */
final class LivelockDetector {
  private final LaneDriver guide;
  private final TimeoutPolicy timeouts;
  private final SimulatedMachine machine;
  private final MachineState state;
  private final RoundHistory rounds;
  private final Fingerprint print = new Fingerprint();
  private ChoiceSource inner = options -> 0;
  private boolean newest;
  private final ChoiceSource watched = this::choose;
  private long high;
  private long low;

  LivelockDetector(
      LaneDriver guide, TimeoutPolicy timeouts, SimulatedMachine machine, MachineState state) {
    this.guide = guide;
    this.timeouts = timeouts;
    this.machine = machine;
    this.state = state;
    rounds = new RoundHistory(machine.agents(), machine.model.lanes);
  }

  /** Forgets all steps: an execution begins, or later steps form no round with earlier ones. */
  void clear() {
    rounds.clear();
  }

  /** Wraps the choices of a step, to see whether the step reads the newest value. */
  ChoiceSource watching(ChoiceSource branch) {
    inner = branch;
    return watched;
  }

  private int choose(int options) {
    int choice = inner.choose(options);
    newest &= choice == options - 1;
    return choice;
  }

  /** Notes the begin of a step of that agent; its choices must go through {@link #watching}. */
  RoundHistory.RoundStepKind begins(int agent) {
    newest = true;
    rounds.before(state.enabled);
    int firstTimeout = machine.firstTimeout();
    int lanes = machine.model.lanes;
    for (int lane = 0; lane < lanes; lane++) {
      // A step that gives up counts as one of its lane, which can continue in either way. A
      // deadline passes at last, even a distant one, so its lane can continue too.
      boolean tries = machine.enabled(state, firstTimeout + lane) && guide.tries(lane);
      rounds.before(firstTimeout + lane, false);
      rounds.before(lane, tries || mayBeLate(lane) || machine.enabled(state, lane));
    }
    boolean timeout = machine.isTimeout(agent);
    int lane = timeout ? agent - firstTimeout : agent;
    if (lane >= lanes) {
      return RoundHistory.RoundStepKind.OTHER;
    }
    if (timeout) {
      // A wait that gives up has polled, and nothing that it could read would have ended it.
      newest = !machine.enabled(state, lane);
      return RoundHistory.RoundStepKind.LOOK;
    }
    return guide.polls(lane)
        ? RoundHistory.RoundStepKind.LOOK
        : guide.waits(lane)
            ? RoundHistory.RoundStepKind.WAIT
            : guide.mayWake(lane)
                ? RoundHistory.RoundStepKind.SIGNAL
                : RoundHistory.RoundStepKind.OTHER;
  }

  private boolean mayBeLate(int lane) {
    return timeouts != TimeoutPolicy.NEVER
        && guide.deadline(lane) != LaneDriver.NEVER
        && machine.mayGiveUp(state, lane);
  }

  /** Notes the end of a step; returns the finding if it completes the last of many rounds. */
  @Nullable Finding ended(int agent, RoundHistory.RoundStepKind of, int callsBefore) {
    print.clear();
    for (int lane = 0; lane < machine.model.lanes; lane++) {
      guide.describe(lane, print);
    }
    for (long word : state.enabled) {
      print.add(word);
    }
    int who = machine.isTimeout(agent) ? agent - machine.firstTimeout() : agent;
    boolean stale = of == RoundHistory.RoundStepKind.LOOK && !newest;
    rounds.after(
        who,
        stale ? RoundHistory.RoundStepKind.STALE : of,
        print.high() ^ print.low(),
        callsBefore);
    long repeated = rounds.repeated();
    if (repeated == 0) {
      return null;
    }
    print.clear();
    machine.memory(state, print);
    if (repeated > 1 && (high != print.high() || low != print.low())) {
      rounds.differ();
      return null;
    }
    high = print.high();
    low = print.low();
    return repeated < guide.rounds() ? null : finding();
  }

  /** The number of steps of the round without progress that ends here; 0 if none does. */
  int round() {
    return rounds.round(1);
  }

  private Finding finding() {
    machine.round(rounds.period());
    return new Finding(
        Kind.LIVELOCK,
        ("suspected livelock: rounds=%d of steps=%d; every round made the same calls, got the same"
                + " answers and left memory unchanged; one round: %s; every lane that could continue"
                + " did, every poll read the newest value, and no wait that timed out could have"
                + " ended; not known: Java variables, such as a count of tries that ends the loop"
                + " later; let one lane give way, or allow more rounds than the code counts"
                + " (withRounds)")
            .formatted(guide.rounds(), rounds.period(), guide.callsSince(rounds.callsBefore())));
  }
}
