package dev.oriel.sim.ranks;

/** Thrown into rank code whose execution has ended, so that its thread ends; not for others. */
final class Over extends Error {
  private static final long serialVersionUID = 1;

  Over() {
    super("the execution is over: let this error pass", null, false, false);
  }
}
