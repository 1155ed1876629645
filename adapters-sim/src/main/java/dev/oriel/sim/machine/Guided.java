package dev.oriel.sim.machine;

import dev.oriel.sim.machine.finding.Finding;
import dev.oriel.sim.machine.finding.Finding.Kind;
import dev.oriel.sim.machine.finding.FindingException;
import dev.oriel.sim.machine.fingerprint.Fingerprint;
import dev.oriel.sim.replay.Choices;
import dev.oriel.sim.replay.Timeouts;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The steps of a machine whose lanes a {@link Guide} tells what to do.
 *
 * <p>A lane that looks again at an unchanged word is held back until somebody else has taken a
 * step, so that no schedule lets it look for ever; where nobody else can, it finds the newest
 * value, since what is written becomes visible at last. Time passes only where nobody can take a
 * step: then the waits of the earliest deadline may end. A lane whose wait may end at any time in
 * vain has two ways to go on.
 */
final class Guided {
  /** Looks of each lane at what does not change any more, for each {@link Guide#rounds round}. */
  private static final int LOOKS = 10;

  private static final Choices NEWEST = options -> options - 1;

  private final Guide guide;
  private final Timeouts timeouts;
  private Machine machine;
  private State state;

  /** Steps that were no looks again, and what it was when a lane last looked again. */
  private long others;

  private long[] looked = {};
  private boolean alone;
  private int looks;

  /** Whether lanes look where they looked before, and went on from: that may be part of a round. */
  private boolean recurs;

  private boolean cut;
  private Lasso lasso;
  private final Standstills standstills = new Standstills();

  /** For each lane the step before which it last gave up, from 1; 0 if it never did. */
  private long[] gaveUp = {};

  private long steps;

  Guided(Guide guide, Timeouts timeouts, Machine machine, State state) {
    this.guide = guide;
    this.timeouts = timeouts;
    this.machine = machine;
    this.state = state;
    lasso = new Lasso(guide, timeouts, machine, state);
  }

  Guide guide() {
    return guide;
  }

  /** Whether a lane was held back in any execution so far. */
  boolean cut() {
    return cut;
  }

  void restart(Machine on, State in, boolean told) {
    if (machine != on || state != in) {
      lasso = new Lasso(guide, timeouts, on, in);
    }
    lasso.clear();
    machine = on;
    state = in;
    others = 0;
    looked = new long[machine.model.lanes];
    Arrays.fill(looked, -1);
    alone = false;
    looks = 0;
    recurs = false;
    steps = 0;
    gaveUp = new long[looked.length];
    standstills.clear();
    guide.restart(told);
  }

  void step(int agent, Choices branch) {
    boolean impatient = machine.impatient(agent);
    int lane = impatient ? agent - machine.firstPatience() : agent;
    boolean again =
        lane < looked.length && guide.looksAgain(lane) && guide.tries(lane) == impatient;
    int calls = guide.calls();
    Rounds.Of of = lasso.begins(agent);
    steps++;
    if (impatient) {
      gaveUp[lane] = steps;
      boolean late = timeouts == Timeouts.QUIESCENCE && !guide.givesUp(lane);
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
      looks = 0;
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

  /** Of how many steps the round is that ends here and gets nobody anywhere; 0 if none does. */
  int round() {
    return alone && !recurs ? 0 : lasso.round();
  }

  /** Whether the agent is a lane that could give up instead of taking its next step. */
  boolean mayGiveUp(int agent) {
    return agent < looked.length && machine.enabled(state, machine.firstPatience() + agent);
  }

  /** Whether the agent's next step is to look at what is there. */
  boolean looks(int agent) {
    return agent < looked.length && guide.looks(agent);
  }

  /** Holds back who looks again too soon, and whoever cannot give up. */
  private void hold() {
    for (int lane = 0; lane < looked.length; lane++) {
      boolean held = guide.looksAgain(lane) && !state.ended[lane] && looked[lane] == others;
      boolean tries = guide.tries(lane);
      if (guide.looksAgain(lane) && !state.ended[lane] && !tries) {
        machine.mark(state, lane, !held);
      }
      cut |= held;
      boolean now = guide.givesUp(lane) && !(tries && held);
      boolean may = timeouts == Timeouts.ANY && guide.deadline(lane) != Guide.NEVER;
      machine.mark(
          state, machine.firstPatience() + lane, (now || may) && machine.mayGiveUp(state, lane));
    }
  }

  /** Nothing is enabled: whether some lane looks once more, or gives up waiting. */
  boolean goesOn() {
    long before =
        timeouts == Timeouts.NEVER && looks > 0 ? 0 : standstills.before(guide, machine, state);
    // Where time has passed before nobody got on by looking, and nothing has changed.
    return (before == 0 && looksOnce()) || timePasses(before);
  }

  private boolean looksOnce() {
    boolean any = false;
    for (int lane = 0; lane < looked.length; lane++) {
      any |= guide.looksAgain(lane) && !state.ended[lane];
    }
    if (!any || looks++ >= looks()) {
      return false;
    }
    if (looks == 1) {
      recurs = standstills.looked();
    }
    // All of them, one after another: the step of one holds none of the others back.
    alone = true;
    if (!recurs) {
      lasso.clear();
    }
    others++;
    for (int lane = 0; lane < looked.length; lane++) {
      if (guide.looksAgain(lane) && !state.ended[lane]) {
        machine.mark(state, guide.tries(lane) ? machine.firstPatience() + lane : lane, true);
      }
    }
    return true;
  }

  /**
   * The waits of the earliest deadline may end. Where that has led back to the same standstill
   * again and again, the wait that has not ended for the longest time may: a deadline that is far
   * off passes too, however often a shorter wait is tried before.
   */
  private boolean timePasses(long before) {
    if (!machine.patienceEnds(state)) {
      return false;
    }
    boolean retried = before > looks();
    int first = -1;
    for (int lane = 0; lane < looked.length; lane++) {
      boolean may = waitsInTime(lane);
      if (may && (first < 0 || (retried ? isLongerAgo(lane, first) : isEarlier(lane, first)))) {
        first = lane;
      }
    }
    for (int lane = 0; lane < looked.length; lane++) {
      boolean due = retried ? lane == first : first >= 0 && !isEarlier(first, lane);
      machine.mark(state, machine.firstPatience() + lane, due && waitsInTime(lane));
    }
    if (first >= 0) {
      standstills.over();
    }
    return first >= 0;
  }

  private boolean waitsInTime(int lane) {
    return machine.enabled(state, machine.firstPatience() + lane)
        && guide.deadline(lane) != Guide.NEVER;
  }

  private boolean isEarlier(int lane, int other) {
    return guide.deadline(lane) < guide.deadline(other);
  }

  private boolean isLongerAgo(int lane, int other) {
    return gaveUp[lane] < gaveUp[other]
        || (gaveUp[lane] == gaveUp[other] && isEarlier(lane, other));
  }

  /**
   * What is wrong with the end of an execution: a deadlock in which somebody looks is a livelock.
   */
  @Nullable Finding end() {
    Finding deadlock = machine.end(state);
    if (deadlock == null) {
      return guide.ended().orElse(null);
    }
    StringBuilder who = new StringBuilder();
    for (int lane = 0; lane < looked.length; lane++) {
      if (guide.looksAgain(lane) && !state.ended[lane]) {
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
            "looks for ever at what nobody changes any more: %s, looks=%d; %s"
                .formatted(who, looks(), deadlock.message()));
  }

  private int looks() {
    return LOOKS * guide.rounds();
  }

  void digest(Fingerprint into) {
    guide.digest(into);
    for (long look : looked) {
      into.add(look == others ? 1 : 0);
    }
    into.add(alone ? looks : -1);
  }
}
