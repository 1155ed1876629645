package dev.oriel.sim.litmus.answer;

import java.util.List;
import java.util.Locale;
import java.util.SortedMap;

/**
 * The answer to a litmus test under one model, with what was counted and what was not covered.
 *
 * @param answer whether the condition can, or must, hold when all threads finish
 * @param executions consistent executions in which all threads finish
 * @param states different final values of what the condition names
 * @param bounds what cut the search short, in words; empty when nothing did
 * @param unsupported how often each instruction appears that is not known
 * @param crossCheck what the operational engine says to the answer
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

  /** What a test may be answered. */
  public enum Answer {
    /** Some execution satisfies the condition. */
    ALLOWED,
    /** No execution does. */
    FORBIDDEN,
    /** Every execution does. */
    ALWAYS,
    /** Some execution does not. */
    NOT_ALWAYS,
    /** The search was cut short before it could tell. */
    UNDECIDED,
    /** The test uses what is not known here. */
    UNSUPPORTED;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** Whether the threads finish. */
  public enum Termination {
    /** In every execution, however threads are scheduled. */
    ALWAYS,
    /** In every execution that goes on running each thread; some thread spins for another. */
    NEEDS_PROGRESS,
    /** Not in every execution, however fair: a barrier stays shut or a spin is never satisfied. */
    NEVER_FINISHES,
    /** Not decided: a loop outran its bound, or the search its budget. */
    UNKNOWN;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }
}
