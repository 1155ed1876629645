package dev.oriel.ibverbs.ucx;

import dev.oriel.bootstrap.TcpBootstrap;
import dev.oriel.bootstrap.TcpSettings;
import dev.oriel.domain.window.Comparison;
import dev.oriel.domain.window.DataSizes;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.Window;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/**
 * One rank of a world of processes. Each passes bytes around a ring through a window, and checks
 * what it gets.
 */
final class UcxWindowProcess {
  private static final Duration TIMEOUT = Duration.ofSeconds(100);
  private static final int BYTES = 1 << 16;

  private UcxWindowProcess() {}

  /** Argument: how many rounds. */
  public static void main(String[] args) {
    int rank = Integer.parseInt(System.getenv("RANK"));
    int world = Integer.parseInt(System.getenv("WORLD_SIZE"));
    int port = Integer.parseInt(System.getenv("MASTER_PORT")) + 1;
    TcpSettings settings = TcpSettings.of(rank, world, System.getenv("MASTER_ADDR"), port, TIMEOUT);
    WindowSpec spec =
        WindowSpec.named("w").withData(DataSizes.uniform(2 * BYTES)).withSignals(2).withBarriers(1);
    try (Bootstrap ranks = TcpBootstrap.join(settings);
        Communicator joined = UcxWorlds.join(ranks, 1 << 20);
        Window window = joined.window(spec)) {
      rounds(rank, world, window, Long.parseLong(args[0]));
      System.out.println("right");
    } catch (MachineException | TimeoutException e) {
      System.out.println(e.getMessage());
      System.exit(1);
    }
  }

  private static void rounds(int rank, int world, Window window, long rounds)
      throws TimeoutException {
    int next = (rank + 1) % world;
    int last = (rank + world - 1) % world;
    byte[] bytes = new byte[BYTES];
    for (long round = 1; round <= rounds; round++) {
      ByteBuffer.wrap(bytes).putLong(0, round * world + rank);
      ByteBuffer.wrap(bytes).putLong(BYTES - Long.BYTES, round * world + rank);
      window.write(0, bytes);
      window.put(next, BYTES, 0, BYTES);
      window.signal(next, 0, 1);
      window.await(last, 0, Comparison.EQ, round, TIMEOUT);
      ByteBuffer found = ByteBuffer.wrap(window.read(BYTES, BYTES));
      long expected = round * world + last;
      if (found.getLong(0) != expected || found.getLong(BYTES - Long.BYTES) != expected) {
        throw new AssertionError("wrong bytes: rank=%d, round=%d".formatted(rank, round));
      }
      window.barrier(0, TIMEOUT);
      if (round == 100) {
        System.out.println("under way");
      }
    }
  }
}
