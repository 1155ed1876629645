package dev.oriel.ibverbs.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.oriel.bootstrap.InProcessBootstrap;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ibverbs.verbs.FakeVerbs;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Executor;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.Outcome;
import dev.oriel.ports.contract.RankThreads;
import dev.oriel.ports.contract.ShippedPrograms;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Failed queue pairs are reset by all ranks together, and the instance continues. */
final class RenewalTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final int WORLD = 3;
  private static final int BYTES = 1000;

  private final FakeVerbs verbs = new FakeVerbs();
  private final List<VerbsExecutor> executors = new ArrayList<>();
  private List<Executor.Instance> instances = List.of();

  @AfterEach
  void nothingIsLeft() {
    RankThreads.all(
        instances,
        i -> {
          i.close();
          return i;
        });
    executors.forEach(VerbsExecutor::close);
    assertThat(verbs.live()).isEmpty();
  }

  private void prepare(String name) {
    for (Bootstrap ranks : InProcessBootstrap.group(WORLD, LONG)) {
      executors.add(TestExecutors.joined(List.of(verbs.open()), ranks, FabricListener.NONE));
    }
    Form form = ShippedPrograms.form(name);
    Program program = Program.bind(form, WORLD, ShippedPrograms.params(form, BYTES, 1));
    instances = RankThreads.all(executors, e -> e.prepare(program, Topology.grid(WORLD, 1)));
  }

  private List<Outcome> launch(Duration deadline) {
    return RankThreads.all(instances, i -> i.launch(deadline).getFirst());
  }

  private void renew() {
    RankThreads.all(
        List.of(0, 1, 2),
        rank -> {
          executors.get(rank).renew(instances.get(rank));
          return rank;
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"ring_all_gather", "ll_all_gather", "push_all_gather"})
  void afterARenewalDataArrivesAgain(String name) {
    prepare(name);
    assertThat(launch(LONG)).containsOnly(new Outcome.Done());
    for (int round = 1; round <= 2; round++) {
      verbs.cut();
      assertThat(launch(Duration.ofSeconds(1))).noneMatch(Outcome.Done.class::isInstance);
      verbs.mend();
      assertThat(launch(LONG)).as("poisoned").hasOnlyElementsOfType(Outcome.Aborted.class);
      renew();
      for (int launch = 1; launch <= 3; launch++) {
        byte[] bytes = new byte[BYTES];
        Arrays.fill(bytes, (byte) (10 * round + launch));
        for (int rank = 0; rank < WORLD; rank++) {
          instances.get(rank).write(rank, "in", 0, bytes);
        }
        assertThat(launch(LONG)).containsOnly(new Outcome.Done());
        for (int rank = 0; rank < WORLD; rank++) {
          for (int of = 0; of < WORLD; of++) {
            assertThat(instances.get(rank).read(rank, "out", (long) of * BYTES, BYTES))
                .isEqualTo(bytes);
          }
        }
      }
    }
  }

  @Test
  void aFailedRenewalChangesNoQueuePair() {
    prepare("ring_all_gather");
    verbs.cut();
    assertThat(launch(Duration.ofSeconds(1))).noneMatch(Outcome.Done.class::isInstance);
    verbs.mend();
    verbs.failNext("ibv_modify_qp", 22);
    assertThat(
            RankThreads.failures(
                MachineException.class,
                List.of(0, 1, 2),
                rank -> {
                  executors.get(rank).renew(instances.get(rank));
                  return rank;
                }))
        .hasSize(WORLD)
        .allSatisfy(e -> assertThat(e).hasMessageContaining("ibv_modify_qp refused"));
    assertThat(launch(LONG)).hasOnlyElementsOfType(Outcome.Aborted.class);
    renew();
    assertThat(launch(LONG)).containsOnly(new Outcome.Done());
    assertThatExceptionOfType(MachineException.class)
        .isThrownBy(() -> executors.get(0).renew(instances.get(1)))
        .withMessageContaining("no open instance");
  }
}
