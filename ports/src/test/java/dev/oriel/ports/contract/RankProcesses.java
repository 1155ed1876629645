package dev.oriel.ports.contract;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Processes of this host that each run one rank, started as torchrun starts them. */
public final class RankProcesses implements AutoCloseable {
  private final List<Process> processes = new ArrayList<>();

  private RankProcesses() {}

  /**
   * Starts the ranks of a world.
   *
   * @param options of the JVM, the class and its arguments
   */
  public static RankProcesses start(int world, List<String> options) throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    RankProcesses all = new RankProcesses();
    try {
      for (int rank = 0; rank < world; rank++) {
        all.processes.add(start(rank, world, port, options));
      }
      return all;
    } catch (IOException e) {
      all.close();
      throw e;
    }
  }

  private static Process start(int rank, int world, int port, List<String> options)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "--enable-native-access=ALL-UNNAMED",
            "-Djava.library.path=" + System.getProperty("java.library.path", ""),
            "-cp",
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))));
    command.addAll(options);
    ProcessBuilder builder = new ProcessBuilder(command);
    Map<String, String> env = builder.environment();
    env.keySet().removeIf(name -> name.matches("(ORIEL|OMPI|PMI|PMIX|SLURM|MPI)_.*"));
    env.put("RANK", Integer.toString(rank));
    env.put("WORLD_SIZE", Integer.toString(world));
    env.put("LOCAL_RANK", Integer.toString(rank));
    env.put("LOCAL_WORLD_SIZE", Integer.toString(world));
    env.put("MASTER_ADDR", "127.0.0.1");
    env.put("MASTER_PORT", Integer.toString(port - 1));
    return builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  /** The process of a rank. */
  public Process get(int rank) {
    return processes.get(rank);
  }

  /**
   * The output of a rank after its process has ended; the process is killed when its time is over.
   */
  public String output(int rank, long seconds) throws InterruptedException {
    Process process = processes.get(rank);
    Thread.startVirtualThread(() -> {
      try {
        if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
          process.destroyForcibly();
        }
      } catch (InterruptedException e) {
        process.destroyForcibly();
      }
    });
    String all = String.join("\n", process.inputReader().lines().toList());
    int ignored = process.waitFor();
    return all;
  }

  /** Kills those that still run. */
  @Override
  public void close() {
    processes.forEach(Process::destroyForcibly);
  }
}
