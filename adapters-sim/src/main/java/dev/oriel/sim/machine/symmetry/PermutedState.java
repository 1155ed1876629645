package dev.oriel.sim.machine.symmetry;

import dev.oriel.sim.machine.fingerprint.Fingerprint;
import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import dev.oriel.sim.machine.state.MachineState;

/** A state under every renaming of its ranks; one is computed at a time. */
public final class PermutedState {
  private final RankSymmetry symmetry;
  private final MachineState renamed;

  /**
   * Creates the renamings for states of that model.
   *
   * @param room the state in which a renamed one is made
   */
  public PermutedState(MachineModel model, ExecutionSettings settings, MachineState room) {
    this.symmetry = new RankSymmetry(model, settings);
    this.renamed = room;
  }

  /** The number of renamings that are symmetries, besides the identity. */
  public int count() {
    return symmetry.renamings.size();
  }

  /** A description of the symmetries; or why there are none. */
  public String text() {
    return symmetry.text;
  }

  /** A symmetry; the identity, if {@code renaming} is their number. */
  public RankPermutation at(int renaming) {
    return renaming == count() ? symmetry.none : symmetry.renamings.get(renaming);
  }

  /** Adds the renamed state to a fingerprint; after the last symmetry, the state as it is. */
  public void digest(int renaming, MachineState state, Fingerprint into) {
    at(renaming).digest(state, renamed, into);
  }

  /**
   * Notes the renamings that put the state's lanes at the smallest positions, and returns their
   * number. Under these, all renamed versions of a state become the same few states. So a search
   * for one representative need examine no other renaming.
   */
  public int foremost(MachineState state, int[] into) {
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
