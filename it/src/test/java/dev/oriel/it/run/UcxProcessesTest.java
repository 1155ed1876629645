package dev.oriel.it.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.measure.Thorough;
import dev.oriel.ibverbs.ucx.UcxPresence;
import dev.oriel.it.Main;
import dev.oriel.ports.contract.RankProcesses;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Processes of this host that meet as hosts do: over UCX, with nothing else in common. */
final class UcxProcessesTest {
  private static final int WORLD = 3;
  private static final int KILLED = 1;
  private static final long SECONDS = 300;

  /** A rank that has used the processor for so many seconds launches: to prepare takes two. */
  private static final long PREPARED = 8;

  @BeforeAll
  static void present() {
    UcxPresence.assume();
  }

  private static RankProcesses start(String... command) throws IOException {
    List<String> options = new ArrayList<>(List.of(Main.class.getName()));
    options.addAll(List.of(command));
    options.addAll(List.of("--machine", "ucx"));
    return RankProcesses.start(WORLD, options);
  }

  @Test
  void everyProgramDeliversWhatItPromises() throws Exception {
    String launches = Integer.toString(Thorough.ON ? 50 : 5);
    try (RankProcesses ranks =
        start("suite", "--listed", "--worlds", WORLD + "x1", "--launches", launches)) {
      String first = ranks.output(0, SECONDS);
      assertThat(first).contains("wrong=0").doesNotContainPattern("wrong=[1-9]");
      assertThat(first.lines().filter(line -> line.contains("launches=" + launches)))
          .as("programs that ran:%n%s", first)
          .hasSizeGreaterThan(30);
      for (int rank = 0; rank < WORLD; rank++) {
        String said = ranks.output(rank, SECONDS);
        assertThat(ranks.get(rank).exitValue()).as("rank %d:%n%s", rank, said).isZero();
      }
    }
  }

  /** A rank that ends early is lost for the others, too: one of the two lost ranks is named. */
  @Test
  void everyRankEndsWhenOneIsKilled() throws Exception {
    try (RankProcesses ranks =
        start(
            "run",
            "ring-allreduce",
            "--world",
            WORLD + "x1",
            "--bytes",
            "65536",
            "--launches",
            "1000000",
            "--deadline",
            "100")) {
      while (ranks.get(KILLED).toHandle().info().totalCpuDuration().orElseThrow().toSeconds()
          < PREPARED) {
        assertThat(ranks.get(KILLED).waitFor(100, TimeUnit.MILLISECONDS)).isFalse();
      }
      ranks.get(KILLED).destroyForcibly();
      long start = System.nanoTime();
      for (int rank : new int[] {0, 2}) {
        assertThat(ranks.output(rank, SECONDS)).contains("peer is lost: peer=");
        assertThat(ranks.get(rank).exitValue()).isNotZero();
      }
      assertThat(System.nanoTime() - start)
          .as("well before the deadline of a launch")
          .isLessThan(TimeUnit.SECONDS.toNanos(50));
    }
  }
}
