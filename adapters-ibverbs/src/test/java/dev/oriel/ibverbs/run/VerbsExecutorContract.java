package dev.oriel.ibverbs.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.bootstrap.InProcessBootstrap;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ibverbs.verbs.DeviceContext;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Executor;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.Outcome;
import dev.oriel.ports.contract.ExecutorContract;
import dev.oriel.ports.contract.RankThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * The contract of executors on one device, with an executor for each rank, on a thread of its own.
 */
public abstract class VerbsExecutorContract extends ExecutorContract {
  private static final Duration LONG = Duration.ofSeconds(60);

  private final List<VerbsExecutor> executors = new ArrayList<>();

  protected VerbsExecutorContract() {
    super(EnumSet.noneOf(Capability.class));
  }

  /** Open devices for a rank. */
  protected abstract List<DeviceContext> devices(int rank);

  @Override
  protected Topology topology(int world) {
    return Topology.grid(world, 1);
  }

  @Override
  protected int largestWorld() {
    return 4;
  }

  @Override
  protected List<Executor> open(Topology topology, FabricListener listener) {
    for (Bootstrap ranks : InProcessBootstrap.group(topology.world(), Duration.ofSeconds(40))) {
      executors.add(TestExecutors.joined(devices(ranks.rank()), ranks, listener));
    }
    return List.copyOf(executors);
  }

  private static List<Outcome> launch(List<Executor.Instance> instances) {
    return RankThreads.all(instances, i -> i.launch(LONG).getFirst());
  }

  private static void close(List<? extends AutoCloseable> all) {
    RankThreads.all(
        List.<AutoCloseable>copyOf(all),
        each -> {
          each.close();
          return each;
        });
  }

  /** The peers of a launch are determined in the launch; all possible ones are connected before. */
  @Test
  void aPeerThatIsFirstReachedInALaunchWasConnectedBeforeIt() {
    Form form =
        FormParser.parse(
            """
            form told
            input in[8]
            signal S[1]
            lane main: sm(32) {
              load q <- in[0] <= n - 1 else 1
              signal S[0]@((r + q) % n) add 1 release
              await S[0]@((r + n - q) % n) >= 1 acquire
            }
            """);
    Program program = Program.bind(form, 3, Map.of());
    List<Executor> opened = open(topology(3), FabricListener.NONE);
    List<Executor.Instance> instances =
        RankThreads.all(opened, e -> e.prepare(program, topology(3)));
    for (int to = 1; to <= 2; to++) {
      byte[] input = new byte[] {(byte) to, 0, 0, 0, 0, 0, 0, 0};
      for (int rank = 0; rank < 3; rank++) {
        instances.get(rank).write(rank, "in", 0, input);
      }
      assertThat(launch(instances)).containsOnly(new Outcome.Done());
    }
    close(instances);
    close(opened);
  }

  /**
   * A rank that has closed an instance keeps its memory until no other rank writes there any more.
   */
  @Test
  void aClosingRankWaitsForRanksThatStillWrite() throws Exception {
    Form form =
        FormParser.parse(
            """
            form late
            param B <= 100000
            input in[B]
            output out[B]
            lane main: sm(32) {
              if r == 0 {
                move out@1[0] <- in[0] bytes B
                flush @1 remote
              }
            }
            """);
    Program program = Program.bind(form, 2, Map.of("B", 100_000L));
    List<Executor> opened = open(topology(2), FabricListener.NONE);
    List<Executor.Instance> instances =
        RankThreads.all(opened, e -> e.prepare(program, topology(2)));
    assertThat(instances.get(1).launch(LONG)).containsExactly(new Outcome.Done());
    CompletableFuture<Executor.Instance> closing =
        RankThreads.start(
            instances.get(1),
            i -> {
              i.close();
              return i;
            });
    for (int launch = 1; launch <= 3; launch++) {
      Thread.sleep(100);
      assertThat(closing).isNotDone();
      assertThat(instances.get(0).launch(LONG)).containsExactly(new Outcome.Done());
    }
    instances.get(0).close();
    assertThat(RankThreads.value(closing)).isSameAs(instances.get(1));
    close(opened);
  }

  @Override
  protected OptionalLong held() {
    return OptionalLong.of(executors.stream().mapToLong(VerbsExecutor::registered).sum());
  }
}
