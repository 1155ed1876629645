package dev.oriel.domain.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class TeamTest {

  @Test
  void orderIsKept() {
    Team team = Team.of(5, 0, 3);
    assertThat(team.size()).isEqualTo(3);
    assertThat(team.get(0)).isEqualTo(5);
    assertThat(team.indexOf(3)).isEqualTo(2);
    assertThat(team.stream()).containsExactly(5, 0, 3);
    assertThat(team.peersOf(0)).containsExactly(5, 3);
    assertThat(team.contains(0)).isTrue();
    assertThat(team.contains(1)).isFalse();
    assertThat(team).hasToString("[5, 0, 3]");
  }

  @Test
  void teamsAreEqualInMembersAndOrder() {
    assertThat(Team.of(List.of(0, 1, 2)))
        .isEqualTo(Team.all(3))
        .hasSameHashCodeAs(Team.of(0, 1, 2));
    assertThat(Team.of(0, 1)).isNotEqualTo(Team.of(1, 0)).isNotEqualTo("[0, 1]");
    assertThat(Team.of(0, 1).hashCode()).isNotEqualTo(Team.of(1, 0).hashCode());
  }

  @Test
  void laterChangesOfTheArrayDoNotReachTheTeam() {
    int[] ranks = {0, 1};
    Team team = Team.of(ranks);
    ranks[0] = 7;
    assertThat(team.get(0)).isZero();
  }

  @Test
  void longTeamsPrintShort() {
    assertThat(Team.all(8)).hasToString("[0, 1, 2, 3, 4, 5, 6, 7]");
    assertThat(Team.all(9)).hasToString("[0, 1, 2, 3, 4, 5, 6, 7, ...] of 9");
  }

  @Test
  void aMemberNamedTwiceIsRefused() {
    assertThatThrownBy(() -> Team.of(4, 2, 4))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("team member named twice: rank=4, places=0 and 2; name each rank once");
  }

  @Test
  void emptyNegativeAndForeignAreRefused() {
    assertThatThrownBy(() -> Team.all(0)).hasMessageStartingWith("empty team: size=0");
    assertThatThrownBy(() -> Team.of(0, -3))
        .hasMessage("negative team member: rank=-3, place=1; ranks count from 0");
    assertThatThrownBy(() -> Team.of(1, 2).indexOf(0))
        .hasMessage("not in the team: rank=0, team=[1, 2]; name a member");
    assertThatThrownBy(() -> Team.of(1, 2).peersOf(3)).hasMessageContaining("rank=3");
    assertThatThrownBy(() -> Team.of(1, 2).get(2)).isInstanceOf(IndexOutOfBoundsException.class);
  }
}
