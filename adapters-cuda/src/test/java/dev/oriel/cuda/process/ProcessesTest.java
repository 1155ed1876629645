package dev.oriel.cuda.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Real processes hand each other open files, and see when one is killed. */
@EnabledOnOs(OS.LINUX)
final class ProcessesTest {
  private static final int WORLD = 3;

  private final List<Process> processes = new ArrayList<>();

  @AfterEach
  void endAll() {
    processes.forEach(Process::destroyForcibly);
  }

  private void start() throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    for (int rank = 0; rank < WORLD; rank++) {
      ProcessBuilder builder =
          new ProcessBuilder(
              Path.of(System.getProperty("java.home"), "bin", "java").toString(),
              "-XX:TieredStopAtLevel=1",
              "-XX:+UseSerialGC",
              "--enable-native-access=ALL-UNNAMED",
              "-cp",
              System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
              MeshProcess.class.getName());
      Map<String, String> env = builder.environment();
      env.keySet().removeIf(name -> name.matches("(ORIEL|OMPI|PMI|PMIX|SLURM|MPI)_.*"));
      env.put("RANK", Integer.toString(rank));
      env.put("WORLD_SIZE", Integer.toString(WORLD));
      env.put("LOCAL_RANK", Integer.toString(rank));
      env.put("LOCAL_WORLD_SIZE", Integer.toString(WORLD));
      env.put("MASTER_ADDR", "127.0.0.1");
      env.put("MASTER_PORT", Integer.toString(port - 1));
      processes.add(builder.redirectError(ProcessBuilder.Redirect.INHERIT).start());
    }
  }

  @Test
  void filesArriveAndAKilledProcessIsTheCauseThatAllOthersName() throws IOException {
    start();
    List<BufferedReader> outputs = new ArrayList<>();
    processes.forEach(process -> outputs.add(process.inputReader()));
    assertThat(outputs.get(0).readLine()).isEqualTo("visitors [rank 1, rank 2]");
    assertThat(outputs.get(1).readLine()).isEqualTo("visitors [rank 0, rank 2]");
    assertThat(outputs.get(2).readLine()).isEqualTo("visitors [rank 0, rank 1]");
    processes.get(1).destroyForcibly();
    for (int survivor : new int[] {0, 2}) {
      assertThat(outputs.get(survivor).readLine()).isEqualTo("ended " + End.lost(1).cause());
    }
  }
}
