package dev.oriel.bootstrap;

import static dev.oriel.ports.contract.RankThreads.failure;
import static dev.oriel.ports.contract.RankThreads.start;
import static dev.oriel.ports.contract.RankThreads.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.ports.BootstrapException;
import dev.oriel.ports.BootstrapException.Kind;
import dev.oriel.ports.contract.InVain;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Time runs out for strangers, for missing ranks and for an absent rank 0. */
final class SlowStrangersTest {
  private static final Duration LONG = Duration.ofSeconds(50);
  private static final Duration SHORT = Duration.ofMillis(500);

  /**
   * The strangers connect before rank 0 accepts, so that none of them is too late to be dropped. On
   * a slow machine the rank itself may be too slow, and tries again.
   */
  @Test
  void strangersThatTakeTooLongAreDroppedOneByOne() {
    TcpListener listener =
        TcpListener.open(TcpGroups.settings(0, 2, 0, LONG).withHandshake(Duration.ofMillis(100)));
    int port = listener.address().getPort();
    CompletableFuture<TcpBootstrap> root;
    try (RawPeer silent = RawPeer.connect(port);
        RawPeer dripping = RawPeer.connect(port)) {
      dripping.send(new byte[] {'O', 'R'});
      root = start(listener, TcpListener::join);
      assertThat(silent.later()).contains("too slow");
      assertThat(dripping.later()).contains("too slow");
    }
    TcpGroups.join(TcpGroups.settings(1, 2, port, LONG)).join().close();
    value(root).close();
  }

  /** The failures of rank 0 and of the one rank that came. */
  private record Joining(BootstrapException zero, BootstrapException member) {
    boolean miss(Integer... ranks) {
      return zero.ranks().equals(List.of(ranks)) && member.ranks().equals(List.of(ranks));
    }
  }

  @Test
  void missingRanksAndRejectedStrangersAreNamedToAll() {
    Kind[] turnedAway = new Kind[1];
    Joining joining =
        InVain.waited(
            SHORT,
            passing -> {
              TcpListener listener = TcpListener.open(TcpGroups.settings(0, 4, 0, passing));
              int port = listener.address().getPort();
              CompletableFuture<TcpBootstrap> root = start(listener, TcpListener::join);
              Duration longer = passing.multipliedBy(3);
              TcpSettings wrong =
                  TcpGroups.settings(2, 4, port, longer)
                      .withToken(SharedToken.of("another job's token"));
              turnedAway[0] = failure(TcpGroups.join(wrong)).kind();
              BootstrapException member =
                  failure(TcpGroups.join(TcpGroups.settings(1, 4, port, longer)));
              return new Joining(failure(root), member);
            },
            all -> all.miss(2, 3));
    assertThat(turnedAway).containsExactly(Kind.REFUSED);
    assertThat(joining.zero().kind()).isEqualTo(Kind.TIMEOUT);
    assertThat(joining.zero().ranks()).containsExactly(2, 3);
    assertThat(joining.zero()).hasMessageContainingAll("refused=1", "wrong token: claimedRank=2");
    assertThat(joining.member().kind()).isEqualTo(Kind.TIMEOUT);
    assertThat(joining.member()).hasMessage(joining.zero().getMessage());
  }

  @Test
  void theShortestDeadlineOfJoiningHoldsForAll() {
    Joining joining =
        InVain.waited(
            SHORT,
            passing -> {
              TcpListener listener =
                  TcpListener.open(TcpGroups.settings(0, 3, 0, passing.multipliedBy(10)));
              CompletableFuture<TcpBootstrap> root = start(listener, TcpListener::join);
              int port = listener.address().getPort();
              BootstrapException member =
                  failure(TcpGroups.join(TcpGroups.settings(1, 3, port, passing)));
              return new Joining(failure(root), member);
            },
            all -> all.miss(2));
    assertThat(joining.member().ranks()).containsExactly(2);
    assertThat(joining.zero().ranks()).containsExactly(2);
  }
}
