package dev.oriel.sim.litmus.answer;

import dev.oriel.sim.litmus.test.LitmusTest;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The operational engine's check of an answer of the axiomatic engine.
 *
 * @param states the number of different final states that it reached
 * @param detail why there was no check, or where the engines differ; else empty
 */
public record CrossCheck(Result result, long states, String detail) {

  /** The results of a comparison of two engines. */
  public enum Result {
    /** Both found the same states. */
    AGREES,
    /** It reached all states that are reachable step by step; the answer is the same. */
    REACHED_FEWER,
    /** As before, but the answer rests on the other states: it is a load buffering shape. */
    NOT_REACHED,
    /** One engine is wrong. */
    DIFFERS,
    /** There was no check. */
    NONE;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  public static CrossCheck none(String reason) {
    return new CrossCheck(Result.NONE, 0, reason);
  }

  /**
   * Compares three sets of states: those that are possible, those of them that are reachable step
   * by step, and those that the operational engine reached.
   */
  public static CrossCheck of(
      LitmusTest test, LitmusOutcomes possible, LitmusOutcomes stepwise, LitmusOutcomes reached) {
    int states = reached.states().size();
    if (!possible.states().containsAll(reached.states())) {
      return differs(test, states, "reached, but forbidden", reached.states(), possible.states());
    }
    if (!reached.states().containsAll(stepwise.states())) {
      return differs(test, states, "allowed, but not reached", stepwise.states(), reached.states());
    }
    if (!stepwise.states().containsAll(reached.states())) {
      return differs(
          test, states, "reached, but not by steps", reached.states(), stepwise.states());
    }
    if (states == possible.states().size()) {
      return new CrossCheck(Result.AGREES, states, "");
    }
    boolean same =
        reached.witnessed() == possible.witnessed() && reached.refuted() == possible.refuted();
    return new CrossCheck(same ? Result.REACHED_FEWER : Result.NOT_REACHED, states, "");
  }

  private static CrossCheck differs(
      LitmusTest test, int states, String what, Set<List<Long>> more, Set<List<Long>> fewer) {
    List<Long> example =
        more.stream()
            .filter(state -> !fewer.contains(state))
            .min((a, b) -> a.toString().compareTo(b.toString()))
            .orElseThrow();
    return new CrossCheck(
        Result.DIFFERS, states, "%s: state=[%s]".formatted(what, test.described(example)));
  }
}
