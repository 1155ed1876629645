package dev.oriel.sim.litmus.answer;

import java.util.List;
import java.util.Locale;
import java.util.SortedMap;

/**
 * The answer to a litmus test under one model, with its counts and its bounds.
 *
 * @param answer whether the condition can, or must, hold when all threads finish
 * @param executions consistent executions in which all threads finish
 * @param states different final values of the condition's variables
 * @param bounds the limits that cut the search short, in words; empty if none did
 * @param unsupported how often each unknown instruction occurs
 * @param crossCheck the operational engine's check of the answer
 */
public record LitmusVerdict(
    MemoryModel model,
    Answer answer,
    long executions,
    long states,
    Termination termination,
    List<String> bounds,
    SortedMap<String, Integer> unsupported,
    CrossCheck crossCheck) {

  /** The possible answers to a test. */
  public enum Answer {
    /** Some execution satisfies the condition. */
    ALLOWED,
    /** No execution does. */
    FORBIDDEN,
    /** Every execution does. */
    ALWAYS,
    /** Some execution does not. */
    NOT_ALWAYS,
    /** The search was cut short before it could decide. */
    UNDECIDED,
    /** The test uses a feature that is unknown here. */
    UNSUPPORTED;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** Whether the threads finish. */
  public enum Termination {
    /** In every execution, under every schedule of the threads. */
    ALWAYS,
    /**
     * In every execution that continues to run each thread; some thread spins on another's write.
     */
    NEEDS_PROGRESS,
    /** Not in every execution, not even a fair one: a barrier never opens or a spin never ends. */
    NEVER_FINISHES,
    /** Not decided: a loop exceeded its bound, or the search its budget. */
    UNKNOWN;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }
}
