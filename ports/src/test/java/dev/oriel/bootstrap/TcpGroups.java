package dev.oriel.bootstrap;

import static dev.oriel.ports.contract.RankThreads.start;
import static dev.oriel.ports.contract.RankThreads.value;

import dev.oriel.ports.Bootstrap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Groups over the loopback address, all ranks in this process. */
final class TcpGroups {
  static final SharedToken TOKEN = SharedToken.of("the right token of this job");
  static final ContributionLimits LIMITS = new ContributionLimits(1 << 16, 1 << 24);

  private TcpGroups() {}

  static TcpSettings settings(int rank, int world, int port, Duration deadline) {
    return TcpSettings.of(rank, world, "127.0.0.1", port, deadline)
        .withToken(TOKEN)
        .withLimits(LIMITS);
  }

  static CompletableFuture<Bootstrap> join(TcpSettings settings) {
    return start(settings, TcpBootstrap::join);
  }

  static List<Bootstrap> open(int world, Duration deadline) {
    if (world == 1) {
      return List.of(TcpBootstrap.join(settings(0, 1, 0, deadline)));
    }
    TcpListener listener = TcpListener.open(settings(0, world, 0, deadline));
    int port = listener.address().getPort();
    List<CompletableFuture<Bootstrap>> joining = new ArrayList<>();
    joining.add(start(listener, TcpListener::join));
    for (int rank = 1; rank < world; rank++) {
      joining.add(join(settings(rank, world, port, deadline)));
    }
    List<Bootstrap> group = new ArrayList<>();
    joining.forEach(rank -> group.add(value(rank)));
    return group;
  }
}
