package dev.oriel.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.oriel.cuda.driver.CudaDriver;
import dev.oriel.cuda.driver.Gpu;
import dev.oriel.ports.MachineException;
import java.io.IOException;
import java.io.Writer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Real processes access memory that each other's applications allocated; needs GPUs. */
final class CallerMemoryProcessesTest {
  private static int gpus;

  private final List<Process> processes = new ArrayList<>();

  @BeforeAll
  static void countGpus() {
    try {
      List<Gpu> open = CudaDriver.open();
      gpus = open.size();
      open.forEach(Gpu::close);
    } catch (MachineException e) {
      assumeTrue(false, e.getMessage());
    }
  }

  @AfterEach
  void endAll() {
    processes.forEach(Process::destroyForcibly);
  }

  private List<List<String>> run(int world, String what) throws IOException {
    start(world, what);
    List<List<String>> outputs = new ArrayList<>();
    for (Process process : processes) {
      outputs.add(process.inputReader().lines().toList());
    }
    return outputs;
  }

  private void start(int world, String what) throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    for (int rank = 0; rank < world; rank++) {
      ProcessBuilder builder =
          new ProcessBuilder(
              Path.of(System.getProperty("java.home"), "bin", "java").toString(),
              "-XX:+UseSerialGC",
              "--enable-native-access=ALL-UNNAMED",
              "-Djava.library.path=" + System.getProperty("java.library.path"),
              "-cp",
              System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
              CallerMemoryProcess.class.getName(),
              what);
      Map<String, String> env = builder.environment();
      env.keySet().removeIf(name -> name.matches("(ORIEL|OMPI|PMI|PMIX|SLURM|MPI)_.*"));
      env.put("RANK", Integer.toString(rank));
      env.put("WORLD_SIZE", Integer.toString(world));
      env.put("LOCAL_RANK", Integer.toString(rank));
      env.put("LOCAL_WORLD_SIZE", Integer.toString(world));
      env.put("MASTER_ADDR", "127.0.0.1");
      env.put("MASTER_PORT", Integer.toString(port - 1));
      processes.add(builder.redirectError(ProcessBuilder.Redirect.INHERIT).start());
    }
  }

  /** The first line of each process; then rank 1 is killed. */
  private List<String> killed(String what) throws Exception {
    start(2, what);
    List<String> first = new ArrayList<>();
    for (Process process : processes) {
      first.add(process.inputReader().readLine());
    }
    processes.get(1).destroyForcibly().waitFor();
    return first;
  }

  /** Copies only: processes may share a GPU. */
  @Test
  void piecesOfAnAllocationAreReadAndWrittenByAnotherProcess() throws IOException {
    assertThat(run(3, "copies")).hasSize(3).allMatch(List.of("copied true")::equals);
  }

  @Test
  void programsRunOnMemoryOfApplications() throws IOException {
    assumeTrue(gpus >= 2, "not enough GPUs: needed=2, there=" + gpus);
    assertThat(run(2, "programs"))
        .hasSize(2)
        .allMatch(
            List.of(
                    "push_all_gather true",
                    "ll_all_gather true",
                    "pull_all_reduce true",
                    "copy_all_gather true")
                ::equals);
  }

  /** Lent memory outlives the process that lent it, as long as another process has it open. */
  @Test
  void memoryLentByAKilledProcessIsReadAndClosed() throws Exception {
    assertThat(killed("reads")).containsExactly("mapped", "mapped");
    try (Writer go = processes.getFirst().outputWriter()) {
      go.write('g');
    }
    assertThat(processes.getFirst().inputReader().lines()).containsExactly("read true", "closed");
    assertThat(processes.getFirst().waitFor()).isZero();
  }

  @Test
  void launchesOnMemoryOfAKilledProcessEndWithTheCause() throws Exception {
    assumeTrue(gpus >= 2, "not enough GPUs: needed=2, there=" + gpus);
    assertThat(killed("launches")).containsExactly("prepared", "prepared");
    List<String> rest = processes.getFirst().inputReader().lines().toList();
    assertThat(rest).hasSize(2);
    assertThat(rest.get(0)).startsWith("ended [Aborted").contains("rank is lost: rank=1");
    assertThat(rest.get(1)).isEqualTo("closed");
    assertThat(processes.getFirst().waitFor()).isZero();
  }
}
