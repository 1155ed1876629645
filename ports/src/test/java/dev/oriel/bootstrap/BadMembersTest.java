package dev.oriel.bootstrap;

import static dev.oriel.ports.contract.RankThreads.failures;
import static dev.oriel.ports.contract.RankThreads.start;
import static dev.oriel.ports.contract.RankThreads.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.BootstrapException;
import dev.oriel.ports.BootstrapException.Kind;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The others learn the name of a rank that joined and then misbehaves or dies. */
final class BadMembersTest {
  private static final Duration LONG = Duration.ofSeconds(50);

  private RawPeer bad;
  private List<Bootstrap> good;

  @BeforeEach
  void joinThree() {
    TcpListener listener = TcpListener.open(TcpGroups.settings(0, 3, 0, LONG));
    int port = listener.address().getPort();
    CompletableFuture<TcpBootstrap> root = start(listener, TcpListener::join);
    bad = RawPeer.joined(port, 1, 3);
    Bootstrap member = value(TcpGroups.join(TcpGroups.settings(2, 3, port, LONG)));
    good = List.of(value(root), member);
    assertThat(bad.receive().kind()).isEqualTo(FrameKind.READY);
  }

  @AfterEach
  void close() {
    bad.close();
    good.forEach(Bootstrap::close);
  }

  private List<BootstrapException> outcome() {
    return failures(good, r -> r.allGather("load", new byte[1]));
  }

  private void expect(Kind kind, String text) {
    assertThat(outcome())
        .allSatisfy(failure -> {
          assertThat(failure.kind()).isEqualTo(kind);
          assertThat(failure.ranks()).containsExactly(1);
          assertThat(failure).hasMessageContaining(text);
        });
  }

  @Test
  void aSocketThatEndsIsALostRank() {
    bad.close();
    expect(Kind.PEER_LOST, "rank=1");
  }

  @Test
  void aSocketThatEndsInTheMiddleOfItsContributionIsALostRank() {
    bad.sendHead(FrameKind.CONTRIBUTION, CollectiveOperation.ALL_GATHER, "load", 1, 1000);
    bad.send(new byte[10]);
    bad.close();
    expect(Kind.PEER_LOST, "allGather(load)");
  }

  /** Each survivor may see the end in a different way, but all must give the same reason. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theReasonDoesNotDependOnTheEndOfTheSocket(boolean reset) {
    if (reset) {
      bad.reset();
    } else {
      bad.close();
    }
    expect(Kind.PEER_LOST, "reason=its connection ended, step=allGather(load)");
  }

  @Test
  void aRankThatSaysItLeavesIsALostRank() {
    bad.send(Frame.of(FrameKind.LEAVE, 1, "out of\nmemory"));
    expect(Kind.PEER_LOST, "out of memory");
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MAX_VALUE, Integer.MIN_VALUE, (1 << 16) + 2})
  void aLengthBeyondTheLimitIsRejectedBeforeItIsUsed(int length) {
    bad.sendHead(FrameKind.CONTRIBUTION, CollectiveOperation.ALL_GATHER, "load", 1, length);
    expect(Kind.PROTOCOL, "frame too long");
  }

  @Test
  void rubbishIsAProtocolFailure() {
    bad.send(new byte[64]);
    expect(Kind.PROTOCOL, "not this protocol");
  }

  @Test
  void aFrameOfTheHandshakeIsOutOfTurn() {
    bad.send(Frame.of(FrameKind.HELLO, 1, ByteBuffer.allocate(36)));
    expect(Kind.PROTOCOL, "out of turn");
  }

  @Test
  void aContributionToAnotherSequenceIsOutOfTurn() {
    bad.send(contribution(7));
    expect(Kind.PROTOCOL, "sequence=7");
  }

  @Test
  void twoContributionsToOneCollectiveAreOutOfTurn() {
    bad.send(contribution(1), contribution(1));
    expect(Kind.PROTOCOL, "out of turn");
  }

  @Test
  void anInvalidContributionIsNamedByAll() {
    bad.send(
        new Frame(
            FrameKind.CONTRIBUTION,
            CollectiveOperation.ALL_GATHER,
            "load",
            1,
            1,
            60_000,
            ByteBuffer.allocate(0)));
    expect(Kind.PROTOCOL, "malformed contribution");
  }

  private static Frame contribution(int sequence) {
    ByteBuffer body = Contribution.encode(new byte[3], 100);
    return new Frame(
        FrameKind.CONTRIBUTION, CollectiveOperation.ALL_GATHER, "load", 1, sequence, 60_000, body);
  }
}
