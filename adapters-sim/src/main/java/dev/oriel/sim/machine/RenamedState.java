package dev.oriel.sim.machine;

/** A state under every name that its ranks may have; one is renamed at a time. */
final class RenamedState {
  private final Symmetry symmetry;
  private final State renamed;

  /**
   * For states of that model.
   *
   * @param room what a renamed one is made in
   */
  RenamedState(Model model, Simulation.Terms terms, State room) {
    this.symmetry = new Symmetry(model, terms);
    this.renamed = room;
  }

  /** Under how many renamings nothing changes, besides the one that renames none. */
  int count() {
    return symmetry.renamings.size();
  }

  /** Which these are; or why there are none. */
  String text() {
    return symmetry.text;
  }

  /** One that changes nothing. */
  Relabelling at(int renaming) {
    return symmetry.renamings.get(renaming);
  }

  /** Feeds the renamed state to a fingerprint; behind the last renaming, as it is. */
  void digest(int renaming, State state, Fingerprint into) {
    (renaming == count() ? symmetry.none : at(renaming)).digest(state, renamed, into);
  }
}
