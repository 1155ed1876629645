package dev.oriel.bootstrap;

import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.BootstrapException;
import dev.oriel.ports.SetupStatus;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Splits a group into smaller ones with ranks of their own, such as the ranks of each host or of
 * each NVLink domain.
 *
 * <p>A subgroup has connections of its own, over TCP through its first rank. So its calls, its
 * failures and its end do not concern the other subgroups or the group that was split. Its messages
 * and exceptions number its ranks from 0; those of the group that was split do not appear. A
 * subgroup may be split again.
 */
public final class Subgroups {
  /** The address of a subgroup whose ranks are all on one host. */
  public static final String LOOPBACK = "127.0.0.1";

  private static final int MAX_HOST = 255;
  private static final int TOKEN = 16;
  private static final int ANY_PORT = 0;

  private Subgroups() {}

  /**
   * Collective over the group: all ranks that give the same key form a subgroup, in the order of
   * their ranks.
   *
   * @param ranks stays open and the caller's; its deadline holds for the calls of the subgroup, too
   * @param step the name of this collective step, the same on all ranks
   * @param key names the subgroup, such as a host or an NVLink domain
   * @param host the address at which the subgroup's other ranks reach this rank, if it is their
   *     first: {@link #LOOPBACK} within one host
   * @return this rank's end; the caller closes it
   * @throws BootstrapException on every rank if one of them cannot join its subgroup; the group
   *     stays usable, and nothing else is left open
   */
  public static Bootstrap of(Bootstrap ranks, String step, String key, String host) {
    List<Integer> members = members(ranks, step + ": key", key);
    int rank = members.indexOf(ranks.rank());
    TcpListener[] opened = new TcpListener[1];
    Bootstrap[] joined = new Bootstrap[1];
    try {
      byte[] mine =
          agreed(
              ranks,
              step + ": listen",
              () ->
                  rank > 0 || members.size() == 1
                      ? new byte[0]
                      : listen(ranks, members, host, opened));
      byte[] first = ranks.allGather(step + ": address", mine).get(members.getFirst());
      return agreed(
          ranks,
          step + ": join",
          () -> joined[0] = joined(ranks, members.size(), rank, first, opened[0]));
    } catch (RuntimeException e) {
      if (joined[0] != null) {
        joined[0].close();
      }
      if (opened[0] != null) {
        opened[0].close();
      }
      throw e;
    }
  }

  /** The ranks with the same key, ascending. */
  private static List<Integer> members(Bootstrap ranks, String step, String key) {
    byte[] mine = key.getBytes(StandardCharsets.UTF_8);
    List<byte[]> keys = ranks.allGather(step, mine);
    List<Integer> members = new ArrayList<>();
    for (int rank = 0; rank < keys.size(); rank++) {
      if (Arrays.equals(keys.get(rank), mine)) {
        members.add(rank);
      }
    }
    return members;
  }

  /** Opens the port of a subgroup's first rank; returns port, secret and address for the others. */
  private static byte[] listen(
      Bootstrap ranks, List<Integer> members, String host, TcpListener[] opened) {
    byte[] address = host.getBytes(StandardCharsets.UTF_8);
    if (address.length > MAX_HOST) {
      throw new IllegalArgumentException(
          "address too long: bytes=%d, max=%d; give a name or an address of this rank"
              .formatted(address.length, MAX_HOST));
    }
    byte[] secret = new byte[TOKEN];
    new SecureRandom().nextBytes(secret);
    opened[0] = TcpListener.open(settings(ranks, 0, members.size(), host, ANY_PORT, secret));
    return ByteBuffer.allocate(Integer.BYTES + TOKEN + address.length)
        .putInt(opened[0].address().getPort())
        .put(secret)
        .put(address)
        .array();
  }

  private static Bootstrap joined(
      Bootstrap ranks, int world, int rank, byte[] first, @Nullable TcpListener listener) {
    if (world == 1) {
      return InProcessBootstrap.group(1, ranks.deadline()).getFirst();
    }
    if (listener != null) {
      return listener.join();
    }
    ByteBuffer offer = ByteBuffer.wrap(first);
    if (offer.remaining() <= Integer.BYTES + TOKEN
        || offer.remaining() > Integer.BYTES + TOKEN + MAX_HOST) {
      throw new IllegalArgumentException(
          "bytes are no address of a subgroup: length=%d; run one version on every rank"
              .formatted(first.length));
    }
    int port = offer.getInt();
    byte[] secret = new byte[TOKEN];
    offer.get(secret);
    String host = StandardCharsets.UTF_8.decode(offer).toString();
    return TcpBootstrap.join(settings(ranks, rank, world, host, port, secret));
  }

  private static TcpSettings settings(
      Bootstrap ranks, int rank, int world, String host, int port, byte[] secret) {
    return TcpSettings.of(rank, world, host, port, ranks.deadline())
        .withToken(SharedToken.of(HexFormat.of().formatHex(secret)));
  }

  /**
   * The result of this rank's part, once it has worked on every rank of the group. Parts may take
   * as long as the group's deadline, so the others wait twice as long.
   */
  private static <T> T agreed(Bootstrap ranks, String step, Supplier<T> part) {
    @Nullable T mine = null;
    SetupStatus status = SetupStatus.ok();
    try {
      mine = part.get();
    } catch (RuntimeException e) {
      status = new SetupStatus.Failed(String.valueOf(e.getMessage()), e);
    }
    ranks.agree(step, status, ranks.deadline().multipliedBy(2));
    return Objects.requireNonNull(mine, step);
  }
}
