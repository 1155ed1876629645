package dev.oriel.domain.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.domain.topology.Topology;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BarrierTest {

  private static final WindowSpec SPEC = WindowSpec.named("w").withBarriers(2);
  private static final WindowLayout LAYOUT = WindowLayout.of(SPEC, Topology.grid(2, 2));
  private static final List<Team> TEAMS = List.of(Team.all(4), Team.of(3, 0));

  private final Map<WindowSlot, Long> memory = new HashMap<>();

  private static Barrier barrier(int id, Epoch epoch) {
    return new Barrier(id, TEAMS.get(id), epoch);
  }

  private void arrive(Barrier barrier, int rank) {
    barrier.arrivals(LAYOUT, rank).forEach(slot -> memory.put(slot, barrier.value()));
  }

  private List<Integer> missing(Barrier barrier, int rank) {
    return barrier.awaited(LAYOUT, rank).stream()
        .filter(slot -> !barrier.passedBy(memory.getOrDefault(slot, 0L)))
        .map(WindowSlot::writer)
        .toList();
  }

  @Test
  void aBarrierPassesWhenAllOthersHaveArrivedAndNamesTheMissing() {
    Barrier first = barrier(0, Epoch.ZERO.next());
    assertThat(missing(first, 0)).containsExactly(1, 2, 3);
    arrive(first, 1);
    arrive(first, 3);
    assertThat(missing(first, 0)).containsExactly(2);
    arrive(first, 2);
    assertThat(missing(first, 0)).isEmpty();
    assertThat(missing(first, 1)).containsExactly(0);
  }

  @Test
  void aWriterAddressesItsOwnRowAtEachPeer() {
    Barrier barrier = barrier(0, new Epoch(1));
    assertThat(barrier.arrivals(LAYOUT, 2))
        .allSatisfy(slot -> assertThat(slot.writer()).isEqualTo(2))
        .extracting(WindowSlot::owner)
        .containsExactly(0, 1, 3);
  }

  @Test
  void anEarlierRoundDoesNotLetTheNextPassButAFasterPeerDoes() {
    Barrier first = barrier(0, new Epoch(-1));
    Barrier second = first.next();
    for (int rank = 0; rank < 4; rank++) {
      arrive(first, rank);
    }
    assertThat(second.value()).isZero();
    assertThat(missing(second, 0)).containsExactly(1, 2, 3);
    arrive(second, 1);
    assertThat(missing(first, 0)).isEmpty();
    assertThat(missing(second, 0)).containsExactly(2, 3);
  }

  @Test
  void twoIdsDoNotDisturbEachOther() {
    Barrier all = barrier(0, new Epoch(7));
    Barrier pair = barrier(1, new Epoch(2));
    arrive(pair, 3);
    assertThat(missing(pair, 0)).isEmpty();
    assertThat(missing(all, 0)).containsExactly(1, 2, 3);
    arrive(all, 3);
    assertThat(missing(pair, 3)).containsExactly(0);
    assertThat(pair.next()).isEqualTo(new Barrier(1, Team.of(3, 0), new Epoch(3)));
  }

  @Test
  void onlyMembersTakePart() {
    Barrier pair = barrier(1, new Epoch(1));
    assertThatThrownBy(() -> pair.arrivals(LAYOUT, 1)).hasMessageContaining("rank=1, team=[3, 0]");
    assertThatThrownBy(() -> pair.awaited(LAYOUT, 1)).hasMessageContaining("rank=1, team=[3, 0]");
  }
}
