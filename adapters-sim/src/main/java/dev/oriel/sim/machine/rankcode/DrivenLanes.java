package dev.oriel.sim.machine.rankcode;

import dev.oriel.sim.machine.agent.SimulatedMachine;
import dev.oriel.sim.machine.driver.LaneDriver;
import dev.oriel.sim.machine.finding.Finding;
import dev.oriel.sim.machine.finding.Finding.Kind;
import dev.oriel.sim.machine.finding.FindingException;
import dev.oriel.sim.machine.fingerprint.Fingerprint;
import dev.oriel.sim.machine.state.MachineState;
import dev.oriel.sim.replay.ChoiceSource;
import dev.oriel.sim.replay.TimeoutPolicy;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The steps of a machine whose lanes take their calls from a {@link LaneDriver}.
 *
 * <p>A lane that polls an unchanged word again is held back until another agent has taken a step.
 * So no schedule lets it poll for ever. If no other agent is enabled, it reads the newest value,
 * since writes become visible at last. Time passes only if no agent is enabled: then the waits of
 * the earliest deadline may time out. A lane whose wait may time out at any moment has two ways to
 * continue.
 */
public final class DrivenLanes {
  /** How often each lane polls what no longer changes, for each {@link LaneDriver#rounds round}. */
  private static final int POLL_ROUNDS = 10;

  private static final ChoiceSource NEWEST = options -> options - 1;

  private final LaneDriver guide;
  private final TimeoutPolicy timeouts;
  private SimulatedMachine machine;
  private MachineState state;

  /** Steps other than repeated polls, and their number when a lane last repeated a poll. */
  private long others;

  private long[] looked = {};
  private boolean alone;
  private int pollRounds;

  /**
   * Whether lanes poll where they polled before and then continued: that may be part of a round.
   */
  private boolean recurs;

  private boolean cut;
  private LivelockDetector lasso;
  private final QuiescenceCounter quiescence = new QuiescenceCounter();

  /** For each lane: the step before which it last gave up, from 1; 0 if it never did. */
  private long[] gaveUp = {};

  private long steps;

  public DrivenLanes(
      LaneDriver guide, TimeoutPolicy timeouts, SimulatedMachine machine, MachineState state) {
    this.guide = guide;
    this.timeouts = timeouts;
    this.machine = machine;
    this.state = state;
    lasso = new LivelockDetector(guide, timeouts, machine, state);
  }

  public LaneDriver guide() {
    return guide;
  }

  /** Whether a lane was held back in any execution so far. */
  public boolean cut() {
    return cut;
  }

  public void restart(SimulatedMachine on, MachineState in, boolean described) {
    if (machine != on || state != in) {
      lasso = new LivelockDetector(guide, timeouts, on, in);
    }
    lasso.clear();
    machine = on;
    state = in;
    others = 0;
    looked = new long[machine.model.lanes];
    Arrays.fill(looked, -1);
    alone = false;
    pollRounds = 0;
    recurs = false;
    steps = 0;
    gaveUp = new long[looked.length];
    quiescence.clear();
    guide.restart(described);
  }

  public void step(int agent, ChoiceSource branch) {
    boolean timeout = machine.isTimeout(agent);
    int lane = timeout ? agent - machine.firstTimeout() : agent;
    boolean again = lane < looked.length && guide.repeatsPoll(lane) && guide.tries(lane) == timeout;
    int calls = guide.calls();
    RoundHistory.RoundStepKind of = lasso.begins(agent);
    steps++;
    if (timeout) {
      gaveUp[lane] = steps;
      boolean late = timeouts == TimeoutPolicy.QUIESCENCE && !guide.givesUp(lane);
      guide.passes(late ? guide.deadline(lane) : 0);
      machine.endCall(state, lane);
    } else {
      machine.step(state, agent, lasso.watching(again && alone ? NEWEST : branch));
    }
    if (again) {
      looked[lane] = others;
    } else {
      others++;
      alone = false;
      pollRounds = 0;
    }
    Optional<Finding> wrong = guide.go();
    if (wrong.isPresent()) {
      throw new FindingException(wrong.get());
    }
    hold();
    Finding round = alone && !recurs ? null : lasso.ended(agent, of, calls);
    if (round != null) {
      throw new FindingException(round);
    }
  }

  /** The number of steps of the round without progress that ends here; 0 if none does. */
  public int round() {
    return alone && !recurs ? 0 : lasso.round();
  }

  /** Whether the agent is a lane that could give up instead of taking its next step. */
  public boolean mayGiveUp(int agent) {
    return agent < looked.length && machine.enabled(state, machine.firstTimeout() + agent);
  }

  /** Whether the agent's next step is a poll. */
  public boolean polls(int agent) {
    return agent < looked.length && guide.polls(agent);
  }

  /** Holds back lanes that poll again too soon, and lanes that cannot give up. */
  private void hold() {
    for (int lane = 0; lane < looked.length; lane++) {
      boolean held = guide.repeatsPoll(lane) && !state.ended[lane] && looked[lane] == others;
      boolean tries = guide.tries(lane);
      if (guide.repeatsPoll(lane) && !state.ended[lane] && !tries) {
        machine.mark(state, lane, !held);
      }
      cut |= held;
      boolean now = guide.givesUp(lane) && !(tries && held);
      boolean may = timeouts == TimeoutPolicy.ANY && guide.deadline(lane) != LaneDriver.NEVER;
      machine.mark(
          state, machine.firstTimeout() + lane, (now || may) && machine.mayGiveUp(state, lane));
    }
  }

  /** Called if no agent is enabled: whether some lane polls once more, or gives up waiting. */
  public boolean goesOn() {
    long before =
        timeouts == TimeoutPolicy.NEVER && pollRounds > 0
            ? 0
            : quiescence.before(guide, machine, state);
    // Polls led no further where time has passed before, and nothing has changed.
    return (before == 0 && pollsOnce()) || timePasses(before);
  }

  private boolean pollsOnce() {
    boolean any = false;
    for (int lane = 0; lane < looked.length; lane++) {
      any |= guide.repeatsPoll(lane) && !state.ended[lane];
    }
    if (!any || pollRounds++ >= maxPollRounds()) {
      return false;
    }
    if (pollRounds == 1) {
      recurs = quiescence.looked();
    }
    // All of them, one after another: the step of one holds none of the others back.
    alone = true;
    if (!recurs) {
      lasso.clear();
    }
    others++;
    for (int lane = 0; lane < looked.length; lane++) {
      if (guide.repeatsPoll(lane) && !state.ended[lane]) {
        machine.mark(state, guide.tries(lane) ? machine.firstTimeout() + lane : lane, true);
      }
    }
    return true;
  }

  /**
   * Lets the waits of the earliest deadline time out. If that has led to the same standstill again
   * and again, the wait that did not time out for the longest time does so. So a distant deadline
   * passes too, however often a shorter wait is retried before.
   */
  private boolean timePasses(long before) {
    if (!machine.enableAtQuiescence(state)) {
      return false;
    }
    boolean retried = before > maxPollRounds();
    int first = -1;
    for (int lane = 0; lane < looked.length; lane++) {
      boolean may = waitsInTime(lane);
      if (may && (first < 0 || (retried ? isLongerAgo(lane, first) : isEarlier(lane, first)))) {
        first = lane;
      }
    }
    for (int lane = 0; lane < looked.length; lane++) {
      boolean due = retried ? lane == first : first >= 0 && !isEarlier(first, lane);
      machine.mark(state, machine.firstTimeout() + lane, due && waitsInTime(lane));
    }
    if (first >= 0) {
      quiescence.over();
    }
    return first >= 0;
  }

  private boolean waitsInTime(int lane) {
    return machine.enabled(state, machine.firstTimeout() + lane)
        && guide.deadline(lane) != LaneDriver.NEVER;
  }

  private boolean isEarlier(int lane, int other) {
    return guide.deadline(lane) < guide.deadline(other);
  }

  private boolean isLongerAgo(int lane, int other) {
    return gaveUp[lane] < gaveUp[other]
        || (gaveUp[lane] == gaveUp[other] && isEarlier(lane, other));
  }

  /** The violation at the end of an execution: a deadlock in which a lane polls is a livelock. */
  public @Nullable Finding end() {
    Finding deadlock = machine.end(state);
    if (deadlock == null) {
      return guide.ended().orElse(null);
    }
    StringBuilder who = new StringBuilder();
    for (int lane = 0; lane < looked.length; lane++) {
      if (guide.repeatsPoll(lane) && !state.ended[lane]) {
        who.append(who.isEmpty() ? "" : "; ")
            .append(machine.model.laneName(lane))
            .append(" repeats '")
            .append(guide.call(lane))
            .append('\'');
      }
    }
    return who.isEmpty()
        ? deadlock
        : new Finding(
            Kind.LIVELOCK,
            "livelock: a lane polls values that no agent will change: %s, polls=%d; %s"
                .formatted(who, maxPollRounds(), deadlock.message()));
  }

  private int maxPollRounds() {
    return POLL_ROUNDS * guide.rounds();
  }

  public void digest(Fingerprint into) {
    guide.digest(into);
    for (long look : looked) {
      into.add(look == others ? 1 : 0);
    }
    into.add(alone ? pollRounds : -1);
  }
}
