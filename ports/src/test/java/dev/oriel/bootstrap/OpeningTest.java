package dev.oriel.bootstrap;

import static dev.oriel.ports.contract.RankThreads.all;
import static dev.oriel.ports.contract.RankThreads.failure;
import static dev.oriel.ports.contract.RankThreads.start;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.BootstrapException;
import dev.oriel.ports.BootstrapException.Kind;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The addresses that are used, the settings that are refused, and the capacity of one collective.
 */
final class OpeningTest {
  private static final Duration LONG = Duration.ofSeconds(50);

  @ParameterizedTest
  @ValueSource(strings = {"0.0.0.0", "192.0.2.7", "::"})
  void withoutATokenNothingListensBeyondTheLoopback(String address) {
    assertThatExceptionOfType(BootstrapException.class)
        .isThrownBy(() -> TcpListener.open(TcpSettings.of(0, 2, address, 0, LONG)))
        .withMessageContainingAll("ORIEL_TOKEN", "no token", "openssl")
        .satisfies(failure -> assertThat(failure.kind()).isEqualTo(Kind.REFUSED));
  }

  @Test
  void withoutATokenNothingIsCalledBeyondTheLoopback() {
    BootstrapException failure =
        failure(TcpGroups.join(TcpSettings.of(1, 2, "192.0.2.7", 9, LONG)));
    assertThat(failure.kind()).isEqualTo(Kind.REFUSED);
    assertThat(failure).hasMessageContaining("ORIEL_TOKEN");
  }

  @Test
  void withATokenAllAddressesAreListenedOnUnlessOneIsNamed() throws UnknownHostException {
    TcpSettings open = TcpSettings.of(0, 2, "192.0.2.7", 0, LONG).withToken(TcpGroups.TOKEN);
    assertThat(RootAddressResolver.toListenOn(open).getAddress().isAnyLocalAddress()).isTrue();
    assertThat(RootAddressResolver.toListenOn(open.withListenHost("127.0.0.1")).getAddress())
        .isEqualTo(InetAddress.getLoopbackAddress());
    TcpSettings local = TcpSettings.of(0, 2, "127.0.0.1", 0, LONG).withToken(TcpGroups.TOKEN);
    assertThat(RootAddressResolver.toListenOn(local).getAddress().isLoopbackAddress()).isTrue();
  }

  @Test
  void ranksOfOneHostNeedNoToken() {
    TcpListener listener = TcpListener.open(TcpSettings.of(0, 2, "127.0.0.1", 0, LONG));
    CompletableFuture<TcpBootstrap> root = start(listener, TcpListener::join);
    int port = listener.address().getPort();
    try (Bootstrap member = TcpBootstrap.join(TcpSettings.of(1, 2, "127.0.0.1", port, LONG));
        Bootstrap zero = root.join()) {
      assertThat(member.world()).isEqualTo(zero.world());
    }
  }

  @Test
  void aPortInUseIsNamed() throws IOException {
    try (ServerSocket used = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      TcpSettings settings = TcpGroups.settings(0, 2, used.getLocalPort(), LONG);
      assertThatExceptionOfType(BootstrapException.class)
          .isThrownBy(() -> TcpBootstrap.join(settings))
          .withMessageContainingAll("cannot listen", "" + used.getLocalPort())
          .satisfies(failure -> assertThat(failure.kind()).isEqualTo(Kind.UNAVAILABLE));
    }
  }

  @Test
  void settingsThatNoGroupCouldUseAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TcpSettings.of(2, 2, "h", 1, LONG))
        .withMessageContaining("rank=2, world=2");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TcpSettings.of(1, 2, "h", 0, LONG))
        .withMessageContaining("port=0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TcpSettings.of(0, 2, "h", 1, Duration.ZERO))
        .withMessageContaining("deadline");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TcpSettings.of(0, 1 << 20, "h", 1, LONG))
        .withMessageContaining("perRank=1024");
    assertThatIllegalArgumentException().isThrownBy(() -> new ContributionLimits(1, 1 << 20));
    assertThatIllegalArgumentException().isThrownBy(() -> InProcessBootstrap.group(0, LONG));
  }

  @Test
  void contributionsLargerThanAnySocketBufferArrive() {
    ContributionLimits limits = new ContributionLimits(4 << 20, 64 << 20);
    TcpListener listener = TcpListener.open(TcpGroups.settings(0, 3, 0, LONG).withLimits(limits));
    int port = listener.address().getPort();
    CompletableFuture<TcpBootstrap> root = start(listener, TcpListener::join);
    List<CompletableFuture<Bootstrap>> members =
        List.of(1, 2).stream()
            .map(r -> TcpGroups.join(TcpGroups.settings(r, 3, port, LONG).withLimits(limits)))
            .toList();
    List<Bootstrap> group = List.of(root.join(), members.get(0).join(), members.get(1).join());
    List<Integer> wrong =
        all(
            group,
            r -> {
              byte[] mine = filled(r.rank());
              List<byte[]> got = r.allGather("large", mine);
              return (int)
                  List.of(0, 1, 2).stream()
                      .filter(peer -> !Arrays.equals(got.get(peer), filled(peer)))
                      .count();
            });
    group.forEach(Bootstrap::close);
    assertThat(wrong).containsExactly(0, 0, 0);
  }

  private static byte[] filled(int rank) {
    byte[] bytes = new byte[(4 << 20) - rank];
    Arrays.fill(bytes, (byte) (rank + 1));
    return bytes;
  }
}
