package dev.oriel.bootstrap;

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

/** Real processes, started as torchrun starts them, meet; one of them is then killed. */
final class ProcessesTest {
  private static final int WORLD = 3;

  private final List<Process> processes = new ArrayList<>();

  @AfterEach
  void endAll() {
    processes.forEach(Process::destroyForcibly);
  }

  private List<BufferedReader> start(int waiting) throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    List<BufferedReader> outputs = new ArrayList<>();
    for (int rank = WORLD - 1; rank >= 0; rank--) {
      Process process = start(rank, port, waiting);
      processes.addFirst(process);
      outputs.addFirst(process.inputReader());
    }
    return outputs;
  }

  private static Process start(int rank, int port, int waiting) throws IOException {
    String classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-cp",
            classPath,
            ProcessRank.class.getName(),
            Integer.toString(waiting));
    Map<String, String> env = builder.environment();
    env.keySet().removeIf(name -> name.matches("(ORIEL|OMPI|PMI|PMIX|SLURM|MPI)_.*"));
    env.put("RANK", Integer.toString(rank));
    env.put("WORLD_SIZE", Integer.toString(WORLD));
    env.put("LOCAL_RANK", Integer.toString(rank));
    env.put("LOCAL_WORLD_SIZE", Integer.toString(WORLD));
    env.put("MASTER_ADDR", "127.0.0.1");
    env.put("MASTER_PORT", Integer.toString(port - 1));
    env.put("ORIEL_TOKEN", "a token for these processes");
    return builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  @Test
  void processesConnectAndEndTogether() throws IOException {
    for (BufferedReader output : start(-1)) {
      assertThat(output.readLine()).isEqualTo("met 3");
      assertThat(output.readLine()).isEqualTo("done");
    }
  }

  @Test
  void aKilledProcessIsNamedToTheOthers() throws IOException {
    List<BufferedReader> outputs = start(1);
    assertThat(outputs.get(1).readLine()).isEqualTo("met 3");
    processes.get(1).destroyForcibly();
    for (int other : new int[] {0, 2}) {
      assertThat(outputs.get(other).readLine()).isEqualTo("met 3");
      assertThat(outputs.get(other).readLine()).isEqualTo("PEER_LOST [1]");
    }
  }

  @Test
  void aKilledRankZeroIsNamedToTheOthers() throws IOException {
    List<BufferedReader> outputs = start(0);
    assertThat(outputs.get(0).readLine()).isEqualTo("met 3");
    processes.get(0).destroyForcibly();
    for (int other : new int[] {1, 2}) {
      assertThat(outputs.get(other).readLine()).isEqualTo("met 3");
      assertThat(outputs.get(other).readLine()).isEqualTo("PEER_LOST [0]");
    }
  }
}
