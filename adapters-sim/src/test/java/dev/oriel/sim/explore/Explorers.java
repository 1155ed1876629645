package dev.oriel.sim.explore;

/** The common parts of the explorers of this package. */
final class Explorers {
  /**
   * Stores of a lane arrive in any order unless one place or a release orders them; loads are not
   * delayed; requests of one queue are executed in order, each at once.
   */
  static final String MODEL = "draft (stores reorder, loads do not, queues in order)";

  private Explorers() {}
}
