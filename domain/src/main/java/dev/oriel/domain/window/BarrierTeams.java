package dev.oriel.domain.window;

import java.util.List;

/**
 * Which team uses which barrier id of a window: one team for each id, for as long as the window
 * lives.
 *
 * <p>Epochs of two teams on one id would count different rounds in the same slots; here an id alone
 * gives the team, so that cannot be said.
 */
public record BarrierTeams(WindowSpec spec, List<Team> teams) {

  public BarrierTeams {
    teams = List.copyOf(teams);
    if (teams.size() != spec.barriers()) {
      throw new IllegalArgumentException(
          "teams do not match barriers: window="
              + spec.name()
              + ", barriers="
              + spec.barriers()
              + ", teams="
              + teams.size()
              + "; give one team for each barrier id");
    }
  }

  /** The round {@code epoch} of barrier {@code id}. */
  public Barrier barrier(int id, Epoch epoch) {
    Bounds.index("barrier", id, teams.size());
    return new Barrier(id, teams.get(id), epoch);
  }
}
