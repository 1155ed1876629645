package dev.oriel.it.spark;

import static dev.oriel.it.spark.SearchCase.shown;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.ports.MachineException;
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
  // A check may make two searches: only the first loses one.
  private static final int LOST_AT = 11;

  /** MiB of a worker: an executor asks for 1024. */
  private static final int ROOM = 1100;

  private static final SearchCase SEARCH = SearchCase.of("signal_barrier", "1x3", 0);

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
                    killed[0] == 0
                            && depth == LOST_AT
                            && SparkProcesses.kill(SparkProcesses.EXECUTOR)
                        ? 1
                        : 0);
    assertThat(killed[0]).isEqualTo(1);
    assertThat(shown(report)).isEqualTo(shown(SEARCH.alone()));
  }

  @Test
  void aHostOfAStandaloneClusterIsLost() throws Exception {
    try (SparkProcesses cluster = new SparkProcesses(temp)) {
      String master = cluster.master();
      cluster.worker(master, ROOM);
      cluster.worker(master, ROOM);
      int[] lost = {0};
      CheckReport report =
          SEARCH.on(
              master,
              Optional.of(temp.resolve("kept")),
              depth -> {
                if (lost[0] == 0 && depth == LOST_AT) {
                  cluster.loseHost(0);
                  lost[0]++;
                }
              });
      assertThat(lost[0]).isEqualTo(1);
      assertThat(shown(report)).isEqualTo(shown(SEARCH.alone()));
    }
  }

  /** Spark alone would wait for ever. */
  @Test
  void workersWithoutRoomAreNamed() throws Exception {
    try (SparkProcesses cluster = new SparkProcesses(temp)) {
      String master = cluster.master();
      cluster.worker(master, 700);
      System.setProperty("spark.oriel.wait", "5");
      try {
        assertThatThrownBy(() -> SEARCH.on(master, Optional.of(temp.resolve("kept")), depth -> {}))
            .isInstanceOf(MachineException.class)
            .hasMessageContaining("no worker takes work: workers=" + master)
            .hasMessageContaining("level=0, executor memory=1g");
      } finally {
        System.clearProperty("spark.oriel.wait");
      }
    }
  }
}
