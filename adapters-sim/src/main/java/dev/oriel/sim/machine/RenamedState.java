package dev.oriel.sim.machine;

import dev.oriel.sim.machine.fingerprint.Fingerprint;
import dev.oriel.sim.machine.layout.Model;

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

  /** One that changes nothing; behind the last of them, the one that renames none. */
  Relabelling at(int renaming) {
    return renaming == count() ? symmetry.none : symmetry.renamings.get(renaming);
  }

  /** Feeds the renamed state to a fingerprint; behind the last renaming, as it is. */
  void digest(int renaming, State state, Fingerprint into) {
    at(renaming).digest(state, renamed, into);
  }

  /**
   * Notes by which renamings the state's lanes stand foremost, and returns by how many. Whatever
   * the state is called now, by these it becomes the same few: who wants one of all its names need
   * look at no others.
   */
  int foremost(State state, int[] into) {
    int found = 0;
    for (int r = 0; r <= count(); r++) {
      int order = found == 0 ? 0 : at(r).compare(state, at(into[0]));
      found = order < 0 ? 0 : found;
      if (order <= 0) {
        into[found++] = r;
      }
    }
    return found;
  }
}
