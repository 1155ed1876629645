package dev.oriel.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.oriel.cuda.driver.CudaDriver;
import dev.oriel.cuda.driver.DriverGraph;
import dev.oriel.cuda.driver.DriverStream;
import dev.oriel.cuda.driver.Gpu;
import dev.oriel.cuda.driver.ResourceStack;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.Outcome;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Launches in the caller's streams and graphs, mixed with the instance's own launches: all continue
 * the same epochs. Needs two GPUs.
 */
final class RecordedLaunchTest {
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final int WORLD = 2;
  private static final int B = 4099;
  private static final int ROUNDS = 100;

  private final SplittableRandom random = new SplittableRandom(7);

  /** The caller's objects on one rank's GPU. */
  private record Caller(DriverStream stream, DriverGraph graph) {}

  private static Program program(String name) throws IOException {
    try (InputStream in = Form.class.getResourceAsStream("/programs/" + name + ".oriel")) {
      Form form = FormParser.parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
      return Program.bind(form, WORLD, Map.of("B", (long) B));
    }
  }

  private static List<Gpu> gpus() {
    try {
      return CudaDriver.open();
    } catch (MachineException e) {
      assumeTrue(false, e.getMessage());
      throw e;
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ll_all_gather", "push_all_gather", "copy_all_gather"})
  void recordedReplayedAndDirectLaunchesContinueEpochs(String name) throws IOException {
    try (ResourceStack owned = new ResourceStack()) {
      List<Gpu> gpus = gpus();
      gpus.forEach(owned::add);
      assumeTrue(
          gpus.size() >= WORLD,
          "not enough GPUs: needed=%d, there=%d".formatted(WORLD, gpus.size()));
      CudaExecutor executor = owned.add(CudaExecutor.open(FabricListener.NONE, System::nanoTime));
      CudaInstance instance = owned.add(executor.prepare(program(name), Topology.grid(1, WORLD)));
      List<Caller> callers = new ArrayList<>();
      for (int rank = 0; rank < WORLD; rank++) {
        int own = rank;
        DriverStream stream = owned.add(gpus.get(rank).stream());
        DriverGraph graph =
            owned.add(
                stream.capture(() -> {
                  for (int i = 0; i < 3; i++) {
                    instance.record(own, stream.handle());
                  }
                }));
        callers.add(new Caller(stream, graph));
      }
      for (int round = 0; round < ROUNDS; round++) {
        byte[] expected = fill(instance);
        launch(instance, callers, round % 3);
        for (int rank = 0; rank < WORLD; rank++) {
          byte[] out = instance.read(rank, "out", 0, WORLD * B);
          assertThat(Arrays.equals(out, expected)).as("round=%d, rank=%d", round, rank).isTrue();
        }
      }
    }
  }

  private byte[] fill(CudaInstance instance) {
    byte[] all = new byte[WORLD * B];
    random.nextBytes(all);
    for (int rank = 0; rank < WORLD; rank++) {
      instance.write(rank, "in", 0, Arrays.copyOfRange(all, rank * B, (rank + 1) * B));
      instance.write(rank, "out", 0, new byte[WORLD * B]);
    }
    return all;
  }

  private static void launch(CudaInstance instance, List<Caller> callers, int way) {
    if (way == 0) {
      assertThat(instance.launch(LONG)).containsOnly(new Outcome.Done());
      return;
    }
    for (int rank = 0; rank < WORLD; rank++) {
      if (way == 1) {
        callers.get(rank).graph().replay();
      } else {
        instance.record(rank, callers.get(rank).stream().handle());
      }
    }
    for (int rank = 0; rank < WORLD; rank++) {
      assertThat(instance.settle(rank, callers.get(rank).stream().handle(), LONG))
          .isEqualTo(new Outcome.Done());
    }
  }
}
