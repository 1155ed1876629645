package dev.oriel.bootstrap;

import dev.oriel.ports.BootstrapException;
import dev.oriel.ports.BootstrapException.Kind;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/**
 * Chooses the address that rank 0 binds and the others call; without a token both must be loopback.
 */
final class RootAddressResolver {
  private RootAddressResolver() {}

  static InetSocketAddress toListenOn(TcpSettings settings) throws UnknownHostException {
    String host = settings.listenHost().orElse(settings.host());
    boolean everywhere =
        settings.listenHost().isEmpty() && settings.token().isPresent() && !literalLoopback(host);
    if (everywhere) {
      return new InetSocketAddress(settings.port());
    }
    InetAddress address = InetAddress.getByName(host);
    refuseInTheOpen(settings, address);
    return new InetSocketAddress(address, settings.port());
  }

  static InetSocketAddress toCall(TcpSettings settings) throws UnknownHostException {
    InetAddress address = InetAddress.getByName(settings.host());
    refuseInTheOpen(settings, address);
    return new InetSocketAddress(address, settings.port());
  }

  private static void refuseInTheOpen(TcpSettings settings, InetAddress address) {
    if (settings.token().isEmpty() && !address.isLoopbackAddress()) {
      throw new BootstrapException(
          Kind.REFUSED,
          "no token, and the address is not loopback: address=%s, port=%d, rank=%d; give every rank the same secret, for example ORIEL_TOKEN=$(openssl rand -hex 16), or use 127.0.0.1"
              .formatted(address, settings.port(), settings.rank()),
          null);
    }
  }

  private static boolean literalLoopback(String host) {
    try {
      return host.equals("localhost") || InetAddress.ofLiteral(host).isLoopbackAddress();
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
