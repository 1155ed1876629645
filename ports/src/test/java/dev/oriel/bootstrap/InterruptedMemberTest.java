package dev.oriel.bootstrap;

import static dev.oriel.ports.contract.RankThreads.failure;
import static dev.oriel.ports.contract.RankThreads.start;
import static dev.oriel.ports.contract.RankThreads.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.BootstrapException.Kind;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A rank checks for its interruption before rank 0 hears anything that it might count on. */
final class InterruptedMemberTest {
  private static final Duration LONG = Duration.ofSeconds(50);

  private ServerSocketChannel server;
  private TcpSettings settings;

  @BeforeEach
  void listen() throws IOException {
    server = ServerSocketChannel.open();
    server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    settings = TcpGroups.settings(1, 2, server.socket().getLocalPort(), LONG);
  }

  @AfterEach
  void close() throws IOException {
    server.close();
  }

  @Test
  void itDoesNotCall() throws IOException {
    CompletableFuture<Bootstrap> joining =
        start(
            settings,
            mine -> {
              Thread.currentThread().interrupt();
              return TcpBootstrap.join(mine);
            });
    assertThat(failure(joining).kind()).isEqualTo(Kind.INTERRUPTED);
    server.configureBlocking(false);
    assertThat(server.accept()).isNull();
  }

  @Test
  void anInterruptedMemberLeavesWithoutAContribution() throws IOException {
    CompletableFuture<Bootstrap> joining = TcpGroups.join(settings);
    try (RawPeer zero = RawPeer.accepted(server.accept().socket())) {
      zero.takeIn(1, 2);
      try (Bootstrap member = value(joining)) {
        CompletableFuture<String> meeting =
            start(
                member,
                mine -> {
                  Thread.currentThread().interrupt();
                  mine.barrier("load", LONG);
                  return "met";
                });
        assertThat(failure(meeting).kind()).isEqualTo(Kind.INTERRUPTED);
        assertThat(zero.receive().kind()).isEqualTo(FrameKind.LEAVE);
      }
    }
  }
}
