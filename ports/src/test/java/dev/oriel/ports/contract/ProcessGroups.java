package dev.oriel.ports.contract;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.oriel.bootstrap.TcpBootstrap;
import dev.oriel.bootstrap.TcpListener;
import dev.oriel.bootstrap.TcpSettings;
import dev.oriel.bootstrap.launch.LaunchEnvironment;
import dev.oriel.ports.Bootstrap;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The groups of a suite that several processes run at once, each with one rank, started as torchrun
 * starts them: all run the same tests in the same order.
 */
public final class ProcessGroups {
  /** A process that failed a test reaches the next one later than the others. */
  private static final Duration TIMEOUT = Duration.ofSeconds(150);

  private static @Nullable Bootstrap all;
  private static int groups;

  private ProcessGroups() {}

  private static synchronized Bootstrap all() {
    Bootstrap joined = all;
    if (joined == null) {
      joined = TcpBootstrap.join(LaunchEnvironment.from(System.getenv()).settings(TIMEOUT));
      all = joined;
    }
    return joined;
  }

  /**
   * This process's end of a new group; a process without one skips the test.
   *
   * @param world all processes skip the test if it exceeds their number
   */
  public static synchronized List<Bootstrap> open(int world, Duration deadline) {
    int rank = all().rank();
    assumeTrue(world <= all().world(), "more ranks than processes: world=" + world);
    String host = InetAddress.getLoopbackAddress().getHostAddress();
    Optional<TcpListener> listener =
        rank == 0 && world > 1
            ? Optional.of(TcpListener.open(TcpSettings.of(0, world, host, 0, deadline)))
            : Optional.empty();
    int port = listener.map(opened -> opened.address().getPort()).orElse(0);
    byte[] mine = ByteBuffer.allocate(Integer.BYTES).putInt(port).array();
    String step = "group %d of %d".formatted(groups++, world);
    port = ByteBuffer.wrap(all().allGather(step, mine).getFirst()).getInt();
    assumeTrue(rank < world, "no rank of this world: process=%d, world=%d".formatted(rank, world));
    return List.of(
        listener.isPresent()
            ? listener.get().join()
            : TcpBootstrap.join(TcpSettings.of(rank, world, host, port, deadline)));
  }

  /** Waits until all processes have reached the end of a test. */
  public static void meet() {
    all().barrier("end of a test");
  }
}
