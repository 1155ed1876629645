package dev.oriel.sim.replay;

/**
 * The failure of an execution.
 *
 * @param kind equal for two failures that count as the same, such as "race" or "deadlock"
 * @param choices the choices of the execution that failed
 */
public record ExecutionFailure(String kind, ChoiceScript choices) {}
