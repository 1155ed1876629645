package dev.oriel.bootstrap;

import static dev.oriel.ports.contract.RankThreads.all;
import static dev.oriel.ports.contract.RankThreads.failure;
import static dev.oriel.ports.contract.RankThreads.start;
import static dev.oriel.ports.contract.RankThreads.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.BootstrapException;
import dev.oriel.ports.BootstrapException.Kind;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rank 0 turns strangers at its port away, and the ranks of the job still meet. */
final class StrangersTest {
  private static final int WORLD = 3;
  private static final Duration LONG = Duration.ofSeconds(50);

  private final List<AutoCloseable> opened = new ArrayList<>();
  private int port;
  private CompletableFuture<TcpBootstrap> root = new CompletableFuture<>();

  @BeforeEach
  void startRankZero() {
    startRankZero(LONG);
  }

  private void startRankZero(Duration handshake) {
    TcpSettings settings = TcpGroups.settings(0, WORLD, 0, LONG).withHandshake(handshake);
    TcpListener listener = TcpListener.open(settings);
    port = listener.address().getPort();
    root = start(listener, TcpListener::join);
  }

  @AfterEach
  void everyRankOfTheJobHasMet() throws Exception {
    List<CompletableFuture<Bootstrap>> others = List.of(joinAs(1), joinAs(2));
    List<Bootstrap> group = new ArrayList<>(List.of(value(root)));
    others.forEach(rank -> group.add(value(rank)));
    assertThat(all(group, r -> r.allGather("met", new byte[] {(byte) r.rank()})))
        .allSatisfy(result -> assertThat(result).hasSize(WORLD));
    group.forEach(Bootstrap::close);
    for (AutoCloseable stranger : opened) {
      stranger.close();
    }
  }

  private CompletableFuture<Bootstrap> joinAs(int rank) {
    return TcpGroups.join(TcpGroups.settings(rank, WORLD, port, LONG));
  }

  private RawPeer stranger() {
    RawPeer peer = RawPeer.connect(port);
    opened.add(peer);
    return peer;
  }

  @Test
  void aWrongTokenIsReportedToItsSender() {
    TcpSettings settings =
        TcpGroups.settings(1, WORLD, port, LONG).withToken(SharedToken.of("another job's token"));
    BootstrapException failure = failure(TcpGroups.join(settings));
    assertThat(failure.kind()).isEqualTo(Kind.REFUSED);
    assertThat(failure).hasMessageContainingAll("wrong token", "rank=1", "same");
    assertThat(failure).hasMessageNotContaining("another job's token");
  }

  @Test
  void noTokenIsAWrongToken() {
    TcpSettings settings =
        TcpSettings.of(1, WORLD, "127.0.0.1", port, LONG).withLimits(TcpGroups.LIMITS);
    assertThat(failure(TcpGroups.join(settings))).hasMessageContaining("wrong token");
  }

  @Test
  void aProofIsGoodForOneConnectionOnly() {
    ByteBuffer nonce = RootHandshake.nonce();
    RawPeer first = stranger();
    first.hello(1, WORLD, nonce);
    HandshakeTranscript seen = new HandshakeTranscript(1, WORLD, nonce, first.receive().body());
    byte[] overheard = TcpGroups.TOKEN.sign(seen.ofMember());
    RawPeer second = stranger();
    second.hello(1, WORLD, nonce);
    assertThat(second.receive().kind()).isEqualTo(FrameKind.CHALLENGE);
    second.proof(1, overheard);
    assertThat(second.refusal()).contains("wrong token");
  }

  @Test
  void aProofOfOneRoleIsInvalidForTheOther() {
    ByteBuffer nonce = RootHandshake.nonce();
    RawPeer peer = stranger();
    peer.hello(1, WORLD, nonce);
    HandshakeTranscript transcript =
        new HandshakeTranscript(1, WORLD, nonce, peer.receive().body());
    peer.proof(1, TcpGroups.TOKEN.sign(transcript.ofRoot(0)));
    assertThat(peer.refusal()).contains("wrong token");
  }

  @Test
  void silentConnectionsBlockNoRank() {
    for (int i = 0; i < 20; i++) {
      stranger();
    }
  }

  @Test
  void tooManyStrangersBlockNoRank() {
    RawPeer first = stranger();
    for (int i = 0; i < 80; i++) {
      stranger();
    }
    assertThat(first.later()).contains("too many strangers");
  }

  @Test
  void aPartialHeaderBlocksNoRank() {
    stranger().send(new byte[] {'O', 'R', 'I', 'L', 1, 1, 0});
  }

  @Test
  void rubbishIsAnsweredAndDropped() {
    RawPeer peer = stranger();
    peer.send("GET / HTTP/1.1\r\nHost: example\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    assertThat(peer.refusal()).contains("not this protocol", "0x47455420");
  }

  @Test
  void aConnectionThatEndsAtOnceIsForgotten() {
    stranger().leaveAndAwaitEnd();
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MAX_VALUE, Integer.MIN_VALUE, -1, FrameKind.HELLO_BYTES + 1})
  void aLengthBeyondTheFixedOneIsRejectedBeforeItIsUsed(int length) {
    RawPeer peer = stranger();
    peer.sendHead(FrameKind.HELLO, CollectiveOperation.NONE, "", 0, length);
    assertThat(peer.refusal()).contains("frame too long", "" + Integer.toUnsignedLong(length));
  }

  @Test
  void aFrameTooShortIsRefused() {
    RawPeer peer = stranger();
    peer.send(Frame.of(FrameKind.HELLO, 1, ByteBuffer.allocate(3)));
    assertThat(peer.refusal()).contains("bad length");
  }

  @Test
  void aContributionBeforeAnyProofIsRefused() {
    RawPeer peer = stranger();
    peer.sendHead(FrameKind.CONTRIBUTION, CollectiveOperation.BARRIER, "load", 1, 1);
    assertThat(peer.refusal()).contains("out of turn");
  }

  @Test
  void anotherVersionIsNamed() {
    RawPeer peer = stranger();
    ByteBuffer head = Frame.of(FrameKind.HELLO, 1, ByteBuffer.allocate(36)).head();
    peer.send(head.put(4, (byte) 9).array());
    assertThat(peer.refusal()).contains("version=9");
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, WORLD, Integer.MAX_VALUE})
  void aRankOutOfRangeIsNamed(int rank) {
    RawPeer peer = stranger();
    peer.prove(rank, WORLD, TcpGroups.TOKEN);
    assertThat(peer.refusal()).contains("rank out of range", "rank=" + rank);
  }

  @Test
  void aSecondRankZeroIsADuplicate() {
    RawPeer peer = stranger();
    peer.prove(0, WORLD, TcpGroups.TOKEN);
    assertThat(peer.refusal()).contains("duplicate rank");
  }

  @Test
  void aDuplicateRankIsRefusedWhileTheFirstStays() {
    RawPeer first = RawPeer.joined(port, 1, WORLD);
    BootstrapException failure = failure(joinAs(1));
    assertThat(failure.kind()).isEqualTo(Kind.REFUSED);
    assertThat(failure).hasMessageContaining("duplicate rank: rank=1");
    first.leaveAndAwaitEnd();
  }

  @Test
  void aRankLostBeforeTheGroupIsCompleteMayRejoin() {
    RawPeer.joined(port, 2, WORLD).leaveAndAwaitEnd();
  }

  @Test
  void aRankThatSendsBeforeTheGroupIsCompleteIsDropped() {
    RawPeer eager = RawPeer.joined(port, 2, WORLD);
    eager.sendHead(FrameKind.CONTRIBUTION, CollectiveOperation.BARRIER, "load", 1, 1);
    eager.leaveAndAwaitEnd();
  }

  @Test
  void anotherWorldSizeIsNamed() {
    TcpSettings settings = TcpGroups.settings(1, WORLD + 1, port, LONG);
    BootstrapException failure = failure(TcpGroups.join(settings));
    assertThat(failure.kind()).isEqualTo(Kind.REFUSED);
    assertThat(failure).hasMessageContainingAll("world sizes differ", "world=4", "worldOfRank0=3");
  }

  @Test
  void otherLimitsAreNamed() {
    TcpSettings settings =
        TcpGroups.settings(1, WORLD, port, LONG).withLimits(new ContributionLimits(8192, 1 << 24));
    BootstrapException failure = failure(TcpGroups.join(settings));
    assertThat(failure.kind()).isEqualTo(Kind.REFUSED);
    assertThat(failure).hasMessageContainingAll("here=8192", "there=65536");
    awaitRoomFor(1);
  }

  /** If a rank leaves on its own, rank 0 learns of it only with that rank's last frame. */
  private void awaitRoomFor(int rank) {
    RawPeer peer = RawPeer.connect(port);
    peer.prove(rank, WORLD, TcpGroups.TOKEN);
    while (peer.receive().kind() != FrameKind.WELCOME) {
      peer.close();
      peer = RawPeer.connect(port);
      peer.prove(rank, WORLD, TcpGroups.TOKEN);
    }
    peer.leaveAndAwaitEnd();
  }
}
