package dev.oriel.ibverbs.ucx;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.ports.contract.RankProcesses;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Windows of processes of this host that meet as hosts do, over UCX. */
final class UcxWindowProcessesTest {
  private static final int WORLD = 3;
  private static final int KILLED = 1;
  private static final long SECONDS = 200;

  @BeforeAll
  static void present() {
    UcxPresence.assume();
  }

  private static RankProcesses start(long rounds) throws IOException {
    return RankProcesses.start(
        WORLD, List.of(UcxWindowProcess.class.getName(), Long.toString(rounds)));
  }

  @Test
  void ranksLeaveOneAnotherInPeace() throws Exception {
    try (RankProcesses ranks = start(200)) {
      for (int rank = 0; rank < WORLD; rank++) {
        assertThat(ranks.output(rank, SECONDS)).isEqualTo("under way\nright");
        assertThat(ranks.get(rank).exitValue()).isZero();
      }
    }
  }

  /** A rank that ends early is lost for the others, too: one of the two lost ranks is named. */
  @Test
  void everyRankEndsWhenOneIsKilled() throws Exception {
    try (RankProcesses ranks = start(Long.MAX_VALUE)) {
      assertThat(ranks.get(KILLED).inputReader().readLine()).isEqualTo("under way");
      ranks.get(KILLED).destroyForcibly();
      long start = System.nanoTime();
      for (int rank : new int[] {0, 2}) {
        assertThat(ranks.output(rank, SECONDS)).startsWith("under way\npeer is lost: peer=");
        assertThat(ranks.get(rank).exitValue()).isEqualTo(1);
      }
      assertThat(System.nanoTime() - start)
          .as("well before the deadline of a wait")
          .isLessThan(TimeUnit.SECONDS.toNanos(60));
    }
  }
}
