package dev.oriel.it.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.oriel.cuda.driver.DriverLibrary;
import dev.oriel.it.Main;
import dev.oriel.it.options.Exit;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The command in several processes, as a launcher starts them. */
class LaunchedTest {
  private static final int WORLD = 2;

  private final List<Process> processes = new ArrayList<>();

  @AfterEach
  void endAll() {
    processes.forEach(Process::destroyForcibly);
  }

  private void start(String... arguments) throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    for (int rank = 0; rank < WORLD; rank++) {
      List<String> command = new ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
      command.add("--enable-native-access=ALL-UNNAMED");
      command.add("-cp");
      command.add(
          System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
      command.add(Main.class.getName());
      command.addAll(List.of(arguments));
      ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
      Map<String, String> env = builder.environment();
      env.keySet().removeIf(name -> name.matches("(ORIEL|OMPI|PMI|PMIX|SLURM|MPI)_.*"));
      env.put("OMPI_COMM_WORLD_RANK", Integer.toString(rank));
      env.put("OMPI_COMM_WORLD_SIZE", Integer.toString(WORLD));
      env.put("OMPI_COMM_WORLD_LOCAL_RANK", Integer.toString(rank));
      env.put("OMPI_COMM_WORLD_LOCAL_SIZE", Integer.toString(WORLD));
      env.put("ORIEL_PORT", Integer.toString(port));
      processes.add(builder.start());
    }
  }

  @Test
  void processesMeetAndRefuseAlikeWhereThereIsNoGpu() throws Exception {
    assumeTrue(DriverLibrary.absence().isPresent(), "there is a CUDA driver here");
    start("run", "allgather", "--machine", "cuda", "--world", "1x2");
    List<String> said = new ArrayList<>();
    for (Process process : processes) {
      said.add(
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
              .lines()
              .filter(line -> line.startsWith("oriel: "))
              .findFirst()
              .orElse(""));
      assertThat(process.waitFor()).isEqualTo(Exit.ENVIRONMENT);
    }
    assertThat(said.getFirst())
        .contains("set-up failed: rank=0", "no CUDA driver", "failing=[0, 1]");
    assertThat(said.getLast()).isEqualTo(said.getFirst());
  }
}
