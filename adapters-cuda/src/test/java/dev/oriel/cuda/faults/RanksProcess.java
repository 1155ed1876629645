package dev.oriel.cuda.faults;

import dev.oriel.bootstrap.InProcessBootstrap;
import dev.oriel.cuda.CudaExecutor;
import dev.oriel.cuda.CudaInstance;
import dev.oriel.cuda.driver.FakeDriver;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.MachineException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;

/**
 * Prints the message of each rank of a world if a rank or its GPU lacks something, and the
 * resources that are left then. The ranks share only what processes can share.
 */
final class RanksProcess {
  private static final Duration SOON = Duration.ofSeconds(5);
  private static final int WORLD = 2;
  private static final int OUT_OF_MEMORY = 2;
  private static final int UNAVAILABLE = 46;

  /** Changes a peer's word by an atomic. */
  private static final String COUNTING =
      """
      form counting
      signal S[1]
      lane main: sm(32) {
        signal S[0]@peers add 1 release
      }
      """;

  private static final String CLUSTERS =
      """
      form clusters
      signal S[1]
      lane main(i < 4): sm(32) cluster(2) {
        signal S[0]@peers set epoch release
      }
      """;

  private RanksProcess() {}

  public static void main(String[] arguments) throws Exception {
    Program stores = Scenario.program("push_all_gather");
    if (arguments[0].equals("old")) {
      report("old", stores);
      return;
    }
    report("fine", stores);
    report("counting", bound(COUNTING));
    FakeDriver.reachable(false);
    report("apart", stores);
    FakeDriver.reachable(true);
    refusing("memory", "cuMemCreate", OUT_OF_MEMORY, stores);
    refusing("mapping", "cuMemMap", OUT_OF_MEMORY, stores);
    refusing("module", "cuModuleLoadData", OUT_OF_MEMORY, stores);
    refusing("held", "cuDevicePrimaryCtxRetain", UNAVAILABLE, stores);
    // First the one GPU lacks it, then the other.
    for (int from = 0; from < WORLD; from++) {
      FakeDriver.atomics(from, 1 - from, false);
      report("torn from " + from, bound(COUNTING));
      report("stores, torn from " + from, stores);
      FakeDriver.atomics(from, 1 - from, true);
    }
    FakeDriver.room(1, 1, 1);
    report("room", bound("form two\nlane main(i < 2): sm(32) { }\n"));
    report("one lane", bound("form one\nlane main: sm(32) { }\n"));
    report("clusters", bound(CLUSTERS));
    FakeDriver.room(1, 1, 2);
    report("two clusters", bound(CLUSTERS));
  }

  private static Program bound(String text) {
    return Program.bind(FormParser.parse(text), WORLD, Map.of());
  }

  /** Makes the next call of that function fail, of any rank. */
  private static void refusing(String what, String function, int result, Program program)
      throws Exception {
    FakeDriver.refuse(function, result, 1);
    report(what, program);
    FakeDriver.refuse("", 0);
  }

  private static void report(String what, Program program) throws Exception {
    List<FutureTask<String>> tasks = new ArrayList<>();
    for (Bootstrap ranks : InProcessBootstrap.group(WORLD, SOON)) {
      FutureTask<String> task = new FutureTask<>(() -> outcome(ranks, program));
      tasks.add(task);
      Thread.ofPlatform().start(task);
    }
    for (int rank = 0; rank < WORLD; rank++) {
      System.out.println("%s: rank=%d %s".formatted(what, rank, tasks.get(rank).get()));
    }
    System.out.println("%s: held [%s]".formatted(what, FakeDriver.held()));
  }

  private static String outcome(Bootstrap ranks, Program program) {
    try (ranks;
        CudaExecutor executor =
            CudaExecutor.join(ranks, ranks.rank(), FabricListener.NONE, System::nanoTime);
        CudaInstance instance = executor.prepare(program, Topology.grid(1, WORLD))) {
      return String.valueOf(instance.launch(SOON).getFirst());
    } catch (MachineException e) {
      return (e.environment() ? "host " : "") + e.getMessage();
    }
  }
}
