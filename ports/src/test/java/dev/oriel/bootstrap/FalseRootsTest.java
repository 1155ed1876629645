package dev.oriel.bootstrap;

import static dev.oriel.ports.contract.RankThreads.failure;
import static dev.oriel.ports.contract.RankThreads.start;
import static dev.oriel.ports.contract.RankThreads.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.BootstrapException;
import dev.oriel.ports.BootstrapException.Kind;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A rank accepts only a rank 0 that proves its identity, and waits for a late rank 0. */
final class FalseRootsTest {
  private static final Duration LONG = Duration.ofSeconds(50);
  private static final Duration SHORT = Duration.ofMillis(300);

  private static ServerSocket server() throws IOException {
    return new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
  }

  private static CompletableFuture<Bootstrap> join(ServerSocket server, Duration deadline) {
    return TcpGroups.join(TcpGroups.settings(1, 2, server.getLocalPort(), deadline));
  }

  @Test
  void anotherServiceOnThePortIsNamed() throws IOException {
    try (ServerSocket server = server()) {
      CompletableFuture<Bootstrap> rank = join(server, LONG);
      try (RawPeer other = RawPeer.accepted(server.accept())) {
        other.send("SSH-2.0-OpenSSH_9.2p1 padding\r\n".getBytes(StandardCharsets.US_ASCII));
        BootstrapException failure = failure(rank);
        assertThat(failure.kind()).isEqualTo(Kind.PROTOCOL);
        assertThat(failure)
            .hasMessageContainingAll("not this protocol", "port=" + server.getLocalPort());
      }
    }
  }

  @Test
  void aHugeLengthFromAFalseRootIsRefused() throws IOException {
    try (ServerSocket server = server()) {
      CompletableFuture<Bootstrap> rank = join(server, LONG);
      try (RawPeer other = RawPeer.accepted(server.accept())) {
        other.sendHead(FrameKind.CHALLENGE, CollectiveOperation.NONE, "", 0, Integer.MAX_VALUE);
        assertThat(failure(rank)).hasMessageContaining("frame too long");
      }
    }
  }

  @Test
  void aRootThatDoesNotKnowTheTokenIsRefused() throws IOException {
    try (ServerSocket server = server()) {
      CompletableFuture<Bootstrap> rank = join(server, LONG);
      try (RawPeer other = RawPeer.accepted(server.accept())) {
        other.receive();
        other.send(Frame.of(FrameKind.CHALLENGE, 0, RootHandshake.nonce()));
        byte[] reflected = new byte[HandshakeTranscript.PROOF_BYTES];
        other.receive().body().get(reflected);
        ByteBuffer welcome = ByteBuffer.allocate(FrameKind.WELCOME_BYTES);
        welcome.put(reflected).putInt(TcpGroups.LIMITS.contributionBytes());
        other.send(Frame.of(FrameKind.WELCOME, 0, welcome.flip()));
        BootstrapException failure = failure(rank);
        assertThat(failure.kind()).isEqualTo(Kind.REFUSED);
        assertThat(failure).hasMessageContaining("did not prove");
      }
    }
  }

  @Test
  void aRootThatNeverAnswersIsMissing() throws IOException {
    try (ServerSocket server = server()) {
      BootstrapException failure = failure(join(server, SHORT));
      assertThat(failure.kind()).isEqualTo(Kind.TIMEOUT);
      assertThat(failure.ranks()).containsExactly(0);
      assertThat(failure).hasMessageContaining("no CHALLENGE");
    }
  }

  @Test
  void anAbsentRootIsMissing() throws IOException {
    int port;
    try (ServerSocket server = server()) {
      port = server.getLocalPort();
    }
    BootstrapException failure = failure(TcpGroups.join(TcpGroups.settings(1, 2, port, SHORT)));
    assertThat(failure.kind()).isEqualTo(Kind.TIMEOUT);
    assertThat(failure.ranks()).containsExactly(0);
  }

  @Test
  void aRankRetriesLaterOnRequest() throws IOException {
    try (ServerSocket server = server()) {
      CompletableFuture<Bootstrap> rank = join(server, LONG);
      try (RawPeer busy = RawPeer.accepted(server.accept())) {
        busy.receive();
        busy.send(Frame.of(FrameKind.LATER, 0, "no room"));
        busy.leaveAndAwaitEnd();
      }
      try (RawPeer zero = RawPeer.accepted(server.accept())) {
        zero.takeIn(1, 2);
        try (Bootstrap member = value(rank)) {
          assertThat(member.rank()).isEqualTo(1);
        }
      }
    }
  }

  @Test
  void rankZeroMayJoinLast() throws IOException {
    CompletableFuture<Bootstrap> rank;
    int port;
    try (ServerSocket placeholder = server()) {
      port = placeholder.getLocalPort();
      rank = join(placeholder, LONG);
      placeholder.accept().close();
    }
    TcpSettings settings = TcpGroups.settings(0, 2, port, LONG);
    try (Bootstrap root = value(start(settings, TcpBootstrap::join));
        Bootstrap member = value(rank)) {
      assertThat(root.rank() + member.rank()).isEqualTo(1);
    }
  }
}
