package dev.oriel.sim.replay;

/**
 * How an execution failed.
 *
 * @param kind what two failures must have in common to count as the same, such as "race" or
 *     "deadlock"
 * @param choices what was chosen in the execution that failed
 */
public record Failure(String kind, Script choices) {}
