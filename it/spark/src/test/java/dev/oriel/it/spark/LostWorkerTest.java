package dev.oriel.it.spark;

import static dev.oriel.it.spark.SearchCase.shown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.sim.search.CheckReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A worker that is killed during a search changes nothing but its time. */
@Timeout(300)
class LostWorkerTest {
  /** Levels after the last kept one, so that some must be computed again. */
  private static final int LOST_AT = 14;

  private static final SearchCase SEARCH = SearchCase.of("ring_all_gather", "1x3", 8);

  @TempDir private Path temp;

  @BeforeAll
  static void install() throws IOException {
    SparkProcesses.install();
  }

  @Test
  void anExecutorIsKilled() {
    int[] killed = {0};
    CheckReport report =
        SEARCH.on(
            "local-cluster[2,1,700]",
            Optional.empty(),
            depth ->
                killed[0] +=
                    depth == LOST_AT && SparkProcesses.kill(SparkProcesses.EXECUTOR) ? 1 : 0);
    assertThat(killed[0]).isEqualTo(1);
    assertThat(shown(report)).isEqualTo(shown(SEARCH.alone()));
  }

  @Test
  void aHostOfAStandaloneClusterIsLost() throws Exception {
    try (SparkProcesses cluster = new SparkProcesses(temp)) {
      String master = cluster.master();
      cluster.worker(master);
      cluster.worker(master);
      int[] lost = {0};
      CheckReport report =
          SEARCH.on(
              master,
              Optional.of(temp.resolve("kept")),
              depth -> {
                if (depth == LOST_AT) {
                  cluster.loseHost(0);
                  lost[0]++;
                }
              });
      assertThat(lost[0]).isEqualTo(1);
      assertThat(shown(report)).isEqualTo(shown(SEARCH.alone()));
    }
  }
}
