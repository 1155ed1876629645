package dev.oriel.sim.ranks;

/** Ends rank code whose execution is over, so that its thread ends; nobody else sees it. */
final class Over extends Error {
  private static final long serialVersionUID = 1;

  Over() {
    super("the execution is over: let this error pass", null, false, false);
  }
}
