package dev.oriel.it.measure;

import dev.oriel.bootstrap.TcpBootstrap;
import dev.oriel.bootstrap.TcpSettings;
import dev.oriel.cuda.CudaExecutor;
import dev.oriel.it.run.ReplayCoordination;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.FabricListener;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.stream.Collectors;

/**
 * One rank of {@link BenchRanks}, with a GPU of its own. It reports {@code joined GPU} and measures
 * a round for each line that it receives. It reports {@code reading SUBJECT BYTES PROGRAM
 * PREPARATIONS MICROS…} for each program and {@code round} after the last. It reports errors as any
 * command does.
 */
record BenchRank(int rank, int world, int port, CudaBench bench) {
  private static final Duration SET_UP = Duration.ofSeconds(60);

  /** Serves requests until the input ends. */
  void run(PrintWriter out) throws IOException {
    BufferedReader commands =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    TcpSettings settings = TcpSettings.of(rank, world, "127.0.0.1", port, SET_UP);
    try (Bootstrap ranks = TcpBootstrap.join(settings);
        CudaExecutor executor =
            CudaExecutor.join(ranks, rank, FabricListener.NONE, System::nanoTime)) {
      say(out, "joined " + executor.inventory().getFirst());
      ReplayCoordination pace = new ReplayCoordination.CoordinatedReplay(ranks);
      while (commands.readLine() != null) {
        bench.measure(executor, pace, reading -> say(out, line(reading)));
        say(out, "round");
      }
    }
  }

  private static String line(CudaBench.Reading reading) {
    return "reading %s %d %s %d %s"
        .formatted(
            reading.row().subject().word(),
            reading.row().bytes(),
            reading.program(),
            reading.preparations(),
            reading.micros().stream().map(Object::toString).collect(Collectors.joining(" ")));
  }

  private static void say(PrintWriter out, String line) {
    out.println(line);
    out.flush();
  }
}
