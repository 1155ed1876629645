package dev.oriel.sim.ranks;

/** Ends rank code whose execution has ended, so that its thread ends. No other code receives it. */
final class ExecutionEnded extends Error {
  private static final long serialVersionUID = 1;

  ExecutionEnded() {
    super("the execution is over: let this error pass", null, false, false);
  }
}
