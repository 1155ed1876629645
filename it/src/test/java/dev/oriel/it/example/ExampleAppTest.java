package dev.oriel.it.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.oriel.bootstrap.InProcessBootstrap;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.group.Group;
import dev.oriel.domain.group.GroupCall.Receive;
import dev.oriel.domain.group.GroupCall.Send;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.HookForm;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.rewrite.AttachedHook;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.Executor;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.Outcome;
import dev.oriel.ports.contract.RankThreads;
import dev.oriel.ports.contract.ShippedPrograms;
import dev.oriel.ports.tuning.ProgramLibrary;
import dev.oriel.sim.sequential.SequentialMachine;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ExampleAppTest {
  private static final Topology TOPOLOGY = Topology.parse("1x3");
  private static final Program ALL_GATHER =
      Program.bind(ShippedPrograms.form("ll_all_gather"), 3, Map.of("B", 2L));
  private static final List<byte[]> INPUTS =
      List.of(new byte[] {1, 2}, new byte[] {3, 4}, new byte[] {5, 6});

  private final AtomicInteger completed = new AtomicInteger();

  private ExampleApp app() {
    FabricListener listener =
        new FabricListener() {
          @Override
          public void completed(int rank, String program, Outcome outcome, long nanos) {
            completed.incrementAndGet();
          }
        };
    return DaggerExampleComponent.factory().create(listener, System::nanoTime).app();
  }

  @Test
  void appRunsTheShippedAllGatherOnANamedMachine() {
    byte[] gathered = app().allGather("sequential", ALL_GATHER, TOPOLOGY, INPUTS);
    assertThat(gathered).containsExactly(1, 2, 3, 4, 5, 6);
    assertThat(completed).hasValue(3);
  }

  @Test
  void ranksOnThreadsOfTheAppShareAWindow() {
    Communicator.Factory world = app().world("sequential");
    List<Byte> passed =
        RankThreads.all(
            InProcessBootstrap.group(4, Duration.ofSeconds(20)),
            ranks -> {
              try (ranks) {
                return ExampleApp.passOn(world, ranks, (byte) (10 + ranks.rank()));
              }
            });
    assertThat(passed).containsExactly((byte) 13, (byte) 10, (byte) 11, (byte) 12);
  }

  /** Without GPUs, all ranks get the reason when they join. */
  @Test
  void theSameCodeRunsOnGpusUnderAnotherName() {
    Communicator.Factory world = app().world("cuda");
    List<String> ended =
        RankThreads.all(
            InProcessBootstrap.group(2, Duration.ofSeconds(20)),
            ranks -> {
              try (ranks) {
                return "passed " + ExampleApp.passOn(world, ranks, (byte) (10 + ranks.rank()));
              } catch (MachineException e) {
                return e.environment() ? "lacking " + e.getMessage() : e.toString();
              }
            });
    assertThat(ended)
        .satisfiesAnyOf(
            gpus -> assertThat(gpus).isEqualTo(List.of("passed 11", "passed 10")),
            none -> assertThat(none).allMatch(why -> why.startsWith("lacking ")));
  }

  @Test
  void noClassOfAnotherMachineIsLoaded() throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xlog:class+load",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                ExampleMain.class.getName(),
                "sequential")
            .redirectErrorStream(true)
            .start();
    List<String> output;
    try (BufferedReader reader = process.inputReader()) {
      output = reader.lines().toList();
    }
    assertThat(output)
        .contains("gathered [1, 2, 3, 4, 5, 6]")
        .anyMatch(line -> line.contains(" dev.oriel.cuda.CudaModule_"))
        .anyMatch(line -> line.contains(" dev.oriel.sim.sequential.SequentialExecutor "))
        .noneMatch(line -> line.contains(" dev.oriel.cuda.CudaExecutor"))
        .noneMatch(line -> line.contains(" dev.oriel.cuda.driver."))
        .noneMatch(line -> line.contains(" jcuda."));
  }

  @Test
  void anUnknownMachineIsRejectedWithTheKnownOnes() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> app().allGather("abacus", ALL_GATHER, TOPOLOGY, INPUTS))
        .withMessageContainingAll("abacus", "sequential", "cuda");
  }

  @Test
  void theSameMachineIsCreatedByHand() {
    try (Executor executor = SequentialMachine.executor(FabricListener.NONE, System::nanoTime);
        Executor.Instance instance = executor.prepare(ALL_GATHER, TOPOLOGY)) {
      assertThat(instance.launch(Duration.ofSeconds(20))).containsOnly(new Outcome.Done());
    }
  }

  /** The hook of {@code it/docs/howto/write-a-hook.md}. */
  @Test
  void aProgramOfTheLibraryTakesAHook() {
    Form push = ProgramLibrary.form("push-allgather");
    HookForm relu = FormParser.hook("hook relu(in0: f32) -> f32 = max(in0, 0.0:f32)");
    Form hooked = AttachedHook.onInput(push, "in", relu);
    byte[] negative = ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putFloat(-2).array();
    byte[] gathered =
        app()
            .allGather(
                "sequential",
                Program.bind(hooked, 3, Map.of("B", 4L)),
                TOPOLOGY,
                List.of(negative, negative, negative));
    assertThat(gathered).isEqualTo(new byte[12]);
  }

  /** The group of {@code it/docs/reference/programs.md}. */
  @Test
  void sendsAndReceivesRunInOneLaunch() {
    Form form =
        Group.form(
            List.of(
                List.of(new Send(1, 100), new Receive(2, 64)), // rank 0
                List.of(new Receive(0, 100)),
                List.of(new Send(0, 64))));
    try (Executor executor = SequentialMachine.executor(FabricListener.NONE, System::nanoTime);
        Executor.Instance instance = executor.prepare(Program.bind(form, 3, Map.of()), TOPOLOGY)) {
      assertThat(instance.launch(Duration.ofSeconds(20))).containsOnly(new Outcome.Done());
    }
  }
}
