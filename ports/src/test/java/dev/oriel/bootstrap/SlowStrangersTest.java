package dev.oriel.bootstrap;

import static dev.oriel.ports.contract.RankThreads.failure;
import static dev.oriel.ports.contract.RankThreads.start;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.ports.BootstrapException;
import dev.oriel.ports.BootstrapException.Kind;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Time runs out for strangers, for missing ranks and for a rank 0 that is not there. */
final class SlowStrangersTest {
  private static final Duration SHORT = Duration.ofMillis(800);

  @Test
  void strangersThatTakeTooLongAreDroppedOneByOne() {
    TcpSettings settings =
        TcpGroups.settings(0, 2, 0, Duration.ofSeconds(50)).withHandshake(Duration.ofMillis(100));
    TcpListener listener = TcpListener.open(settings);
    CompletableFuture<TcpBootstrap> root = start(listener, TcpListener::join);
    int port = listener.address().getPort();
    try (RawPeer silent = RawPeer.connect(port);
        RawPeer dripping = RawPeer.connect(port)) {
      dripping.send(new byte[] {'O', 'R'});
      assertThat(silent.refusal()).contains("too slow");
      assertThat(dripping.refusal()).contains("too slow");
    }
    TcpGroups.join(TcpGroups.settings(1, 2, port, Duration.ofSeconds(50))).join().close();
    root.join().close();
  }

  @Test
  void ranksThatDoNotJoinAreNamedToAllThatDidWithWhoWasTurnedAway() {
    TcpListener listener = TcpListener.open(TcpGroups.settings(0, 4, 0, SHORT));
    int port = listener.address().getPort();
    CompletableFuture<TcpBootstrap> root = start(listener, TcpListener::join);
    TcpSettings wrong =
        TcpGroups.settings(2, 4, port, SHORT).withToken(SharedToken.of("another job's token"));
    assertThat(failure(TcpGroups.join(wrong)).kind()).isEqualTo(Kind.REFUSED);
    BootstrapException member =
        failure(TcpGroups.join(TcpGroups.settings(1, 4, port, Duration.ofSeconds(50))));
    BootstrapException zero = failure(root);
    assertThat(zero.kind()).isEqualTo(Kind.TIMEOUT);
    assertThat(zero.ranks()).containsExactly(2, 3);
    assertThat(zero).hasMessageContainingAll("refused=1", "wrong token: claimedRank=2");
    assertThat(member.kind()).isEqualTo(Kind.TIMEOUT);
    assertThat(member).hasMessage(zero.getMessage());
  }

  @Test
  void theShortestDeadlineOfJoiningHoldsForAll() {
    TcpListener listener = TcpListener.open(TcpGroups.settings(0, 3, 0, Duration.ofSeconds(50)));
    CompletableFuture<TcpBootstrap> root = start(listener, TcpListener::join);
    int port = listener.address().getPort();
    BootstrapException member = failure(TcpGroups.join(TcpGroups.settings(1, 3, port, SHORT)));
    assertThat(member.ranks()).containsExactly(2);
    assertThat(failure(root).ranks()).containsExactly(2);
  }
}
