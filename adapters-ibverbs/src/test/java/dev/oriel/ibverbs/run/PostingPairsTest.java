package dev.oriel.ibverbs.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.connection.ConnectionOrder;
import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.contract.ShippedPrograms;
import org.junit.jupiter.api.Test;

/** The pairs of connected ranks, and the number of rounds. */
final class PostingPairsTest {
  private static ConnectionOrder order(Form form, int world) {
    Program program = Program.bind(form, world, ShippedPrograms.params(form, 64, 1));
    LoweredForm lowered = ProgramRequirements.lower(program, Topology.grid(world, 1));
    return PostingPairs.of(program, lowered);
  }

  @Test
  void aRingConnectsNeighboursInFewRounds() {
    for (int world : new int[] {3, 4, 8, 64}) {
      ConnectionOrder order = order(ShippedPrograms.form("ring_all_gather"), world);
      for (int rank = 0; rank < world; rank++) {
        assertThat(order.peers(rank))
            .containsExactlyInAnyOrder((rank + 1) % world, (rank + world - 1) % world);
      }
      assertThat(order.rounds()).isEqualTo(world % 2 == 0 ? 2 : 3);
    }
  }

  @Test
  void aRankThatPostsToAllConnectsToAll() {
    ConnectionOrder order = order(ShippedPrograms.form("push_all_gather"), 4);
    assertThat(order.peers(1)).containsExactly(0, 3, 2);
    assertThat(order.rounds()).isEqualTo(3);
  }

  /**
   * A rank that only receives requests the connection as well; a peer that a loop determines may be
   * any.
   */
  @Test
  void oneSideConnectsBoth() {
    ConnectionOrder one =
        order(
            FormParser.parse(
                """
                form up
                signal S[1]
                lane main: sm(32) {
                  if r == 0 {
                    signal S[0]@(n - 1) set epoch release
                  }
                  if r == n - 1 {
                    await S[0]@0 reached epoch acquire
                  }
                }
                """),
            4);
    assertThat(one.peers(3)).contains(0);
    ConnectionOrder loop =
        order(
            FormParser.parse(
                """
                form sum
                signal S[1]
                lane main: sm(32) {
                  for i < n - 1 {
                    signal S[0]@((r + i + 1) % n) set epoch release
                  }
                }
                """),
            4);
    assertThat(loop.peers(2)).containsExactlyInAnyOrder(0, 1, 3);
  }

  /** One scope assigns a name that another one loads. */
  @Test
  void aNameLoadedInAnotherScopeMayHaveAnyValue() {
    ConnectionOrder order =
        order(
            FormParser.parse(
                """
                form told
                input in[8]
                signal S[1]
                lane main: sm(32) {
                  if r == 0 {
                    let q = 1
                    signal S[0]@q set epoch release
                  } else {
                    load q <- in[0] <= n - 1 else 1
                    signal S[0]@q set epoch release
                  }
                }
                """),
            4);
    assertThat(order.peers(2)).containsExactlyInAnyOrder(0, 1, 3);
  }
}
