package dev.oriel.ibverbs.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ibverbs.run.VerbsExecutor;
import dev.oriel.ports.Executor;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.Outcome;
import dev.oriel.ports.contract.RankThreads;
import dev.oriel.ports.contract.ShippedPrograms;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Failed queue pairs of a kernel's device are reset on both ends, and the instance continues. */
final class RenewalSuite {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Duration PULLED = Duration.ofSeconds(20);
  private static final int BYTES = 5000;

  @BeforeEach
  void onlyInTheGuest() {
    Guest.required();
  }

  /**
   * One program needs no answer and one polls for packets: the queue of either end may be in error.
   */
  @ParameterizedTest
  @ValueSource(strings = {"ring_all_gather", "ll_all_gather"})
  void afterARenewalDataArrivesAgain(String name) throws Exception {
    List<VerbsExecutor> executors = Cable.executors(FabricListener.NONE);
    Program gather = Program.bind(ShippedPrograms.form(name), 2, Map.of("B", (long) BYTES));
    List<Executor.Instance> instances =
        RankThreads.all(executors, e -> e.prepare(gather, Topology.grid(2, 1)));
    arrives(instances, 1);
    for (int round = 1; round <= 2; round++) {
      Cable.loseEverything();
      try {
        assertThat(launch(instances, PULLED)).noneMatch(Outcome.Done.class::isInstance);
      } finally {
        Cable.mend();
      }
      assertThat(launch(instances, LONG))
          .as("poisoned")
          .hasOnlyElementsOfType(Outcome.Aborted.class);
      RankThreads.all(
          List.of(0, 1),
          rank -> {
            executors.get(rank).renew(instances.get(rank));
            return rank;
          });
      arrives(instances, 10 * round);
      arrives(instances, 10 * round + 1);
    }
    Cable.close(instances);
    Cable.close(executors);
  }

  private static List<Outcome> launch(List<Executor.Instance> instances, Duration deadline) {
    return RankThreads.all(instances, i -> i.launch(deadline).getFirst());
  }

  /** Bytes that no earlier launch had. */
  private static void arrives(List<Executor.Instance> instances, int what) {
    for (int rank = 0; rank < 2; rank++) {
      byte[] bytes = new byte[BYTES];
      Arrays.fill(bytes, (byte) (what + 100 * rank));
      instances.get(rank).write(rank, "in", 0, bytes);
    }
    assertThat(launch(instances, LONG)).containsOnly(new Outcome.Done());
    for (int rank = 0; rank < 2; rank++) {
      for (int of = 0; of < 2; of++) {
        assertThat(instances.get(rank).read(rank, "out", (long) of * BYTES, BYTES))
            .containsOnly(what + 100 * of);
      }
    }
  }
}
