package dev.oriel.bootstrap;

import java.time.Duration;
import java.util.Optional;

/**
 * Settings with which one rank joins a TCP group; all but the rank are equal on every rank.
 *
 * @param host the address at which the others reach rank 0
 * @param port rank 0's port; 0 only for rank 0 itself, which then takes a free one
 * @param token the job's secret; without one only loopback addresses are used
 * @param listenHost the address that rank 0 binds; by default all of its addresses, or {@code host}
 *     when that is a literal loopback address or there is no token
 * @param deadline of joining, and of calls that name none
 * @param limits the largest contributions
 * @param handshake how long a stranger may take to prove itself before it is dropped
 */
public record TcpSettings(
    int rank,
    int world,
    String host,
    int port,
    Optional<SharedToken> token,
    Optional<String> listenHost,
    Duration deadline,
    ContributionLimits limits,
    Duration handshake) {

  /** Rejects settings that no group could use. */
  public TcpSettings {
    RankChecks.check(rank, world);
    int least = rank == 0 ? 0 : 1;
    if (port < least || port > 65535) {
      throw new IllegalArgumentException(
          "port out of range: port=%d, rank=%d; give rank 0's port, %d to 65535"
              .formatted(port, rank, least));
    }
    if (host.isBlank()) {
      throw new IllegalArgumentException("host is blank: rank=" + rank + "; give rank 0's address");
    }
    MonotonicDeadline.in(deadline);
    MonotonicDeadline.in(handshake);
    limits.perRank(world);
  }

  /** Settings without a token, fit for ranks of one host. */
  public static TcpSettings of(int rank, int world, String host, int port, Duration deadline) {
    return new TcpSettings(
        rank,
        world,
        host,
        port,
        Optional.empty(),
        Optional.empty(),
        deadline,
        ContributionLimits.standard(),
        Duration.ofSeconds(5));
  }

  /** The same with the job's secret. */
  public TcpSettings withToken(SharedToken secret) {
    return new TcpSettings(
        rank, world, host, port, Optional.of(secret), listenHost, deadline, limits, handshake);
  }

  /** The same with one address for rank 0 to bind. */
  public TcpSettings withListenHost(String bound) {
    return new TcpSettings(
        rank, world, host, port, token, Optional.of(bound), deadline, limits, handshake);
  }

  /** The same with other limits. */
  public TcpSettings withLimits(ContributionLimits others) {
    return new TcpSettings(rank, world, host, port, token, listenHost, deadline, others, handshake);
  }

  /** The same with another time for strangers. */
  public TcpSettings withHandshake(Duration time) {
    return new TcpSettings(rank, world, host, port, token, listenHost, deadline, limits, time);
  }

  SharedToken secret() {
    return token.orElseGet(SharedToken::loopback);
  }

  int contributionLimit() {
    return limits.perRank(world);
  }
}
