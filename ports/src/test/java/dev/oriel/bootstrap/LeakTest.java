package dev.oriel.bootstrap;

import static dev.oriel.ports.contract.RankThreads.failure;
import static dev.oriel.ports.contract.RankThreads.failures;
import static dev.oriel.ports.contract.RankThreads.start;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.oriel.ports.Bootstrap;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** No kind of failure and no kind of end leaves a descriptor open. */
final class LeakTest {
  private static final Duration LONG = Duration.ofSeconds(50);
  private static final Duration SHORT = Duration.ofMillis(150);
  private static final int TIMES = 5;

  /** Opens sockets; none may be left open when it returns. */
  @FunctionalInterface
  private interface Scenario {
    void run() throws IOException;
  }

  private static long descriptors() {
    assumeTrue(
        ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean,
        "descriptors cannot be counted here");
    return ((UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getOpenFileDescriptorCount();
  }

  /** The first run loads classes and devices; a leak would show in every later one. */
  private static void leavesNothing(Scenario scenario) throws IOException {
    scenario.run();
    long before = descriptors();
    for (int i = 0; i < TIMES; i++) {
      scenario.run();
    }
    assertThat(descriptors()).isLessThan(before + TIMES);
  }

  @Test
  void aGroupThatIsClosed() throws IOException {
    leavesNothing(() -> TcpGroups.open(3, LONG).forEach(Bootstrap::close));
  }

  @Test
  void aGroupThatFailsAndIsClosed() throws IOException {
    leavesNothing(() -> {
      List<Bootstrap> group = TcpGroups.open(3, LONG);
      failures(group, r -> r.allGather("step " + r.rank(), new byte[0]));
      group.forEach(Bootstrap::close);
    });
  }

  @Test
  void ranksThatFailToConnect() throws IOException {
    leavesNothing(() -> {
      TcpListener listener = TcpListener.open(TcpGroups.settings(0, 3, 0, SHORT));
      int port = listener.address().getPort();
      RawPeer stranger = RawPeer.connect(port);
      CompletableFuture<TcpBootstrap> root = start(listener, TcpListener::join);
      failure(TcpGroups.join(TcpGroups.settings(1, 3, port, SHORT)));
      failure(root);
      stranger.close();
    });
  }

  @Test
  void aRankThatIsRefused() throws IOException {
    leavesNothing(() -> {
      TcpListener listener = TcpListener.open(TcpGroups.settings(0, 2, 0, LONG));
      CompletableFuture<TcpBootstrap> root = start(listener, TcpListener::join);
      int port = listener.address().getPort();
      failure(TcpGroups.join(TcpGroups.settings(1, 3, port, LONG)));
      TcpBootstrap.join(TcpGroups.settings(1, 2, port, LONG)).close();
      root.join().close();
    });
  }

  @Test
  void aRankThatFindsNoGroup() throws IOException {
    ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    int port = free.getLocalPort();
    free.close();
    leavesNothing(() -> failure(TcpGroups.join(TcpGroups.settings(1, 2, port, SHORT))));
  }

  @Test
  void aRankThatIsInterruptedWhileItJoins() throws IOException {
    leavesNothing(() ->
        failure(
            start(
                TcpGroups.settings(0, 2, 0, LONG),
                settings -> {
                  Thread.currentThread().interrupt();
                  return TcpBootstrap.join(settings);
                })));
  }

  @Test
  void aPortThatIsInUse() throws IOException {
    try (ServerSocket used = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      TcpSettings settings = TcpGroups.settings(0, 2, used.getLocalPort(), LONG);
      leavesNothing(() -> failure(TcpGroups.join(settings)));
    }
  }

  @Test
  void aListenerThatIsOnlyClosed() throws IOException {
    leavesNothing(() -> {
      TcpListener listener = TcpListener.open(TcpGroups.settings(0, 2, 0, LONG));
      listener.close();
      listener.close();
    });
  }
}
