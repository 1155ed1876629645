package dev.oriel.bootstrap;

import dev.oriel.ports.BootstrapException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.util.NavigableMap;

/**
 * Rank 0's open port before the group is complete, for callers that let the system choose the port
 * and must announce it. All others call {@link TcpBootstrap#join}.
 */
public final class TcpListener implements AutoCloseable {
  private static final int LEAST_BACKLOG = 128;

  private final TcpSettings settings;
  private final SelectLoop loop;
  private final ServerSocketChannel server;
  private final InetSocketAddress address;
  private boolean joined;

  private TcpListener(
      TcpSettings settings,
      SelectLoop loop,
      ServerSocketChannel server,
      InetSocketAddress address) {
    this.settings = settings;
    this.loop = loop;
    this.server = server;
    this.address = address;
  }

  /** Opens rank 0's port; other ranks may connect from now on. */
  public static TcpListener open(TcpSettings settings) {
    if (settings.rank() != 0) {
      throw new IllegalArgumentException(
          "only rank 0 listens: rank=" + settings.rank() + "; join instead");
    }
    SelectLoop loop = SelectLoop.open(0);
    try {
      return bind(settings, loop);
    } catch (IOException e) {
      loop.close();
      throw BootstrapErrors.unavailable(
          "cannot listen",
          settings.listenHost().orElse(settings.host()) + ":" + settings.port(),
          e,
          "choose a free port of this host");
    } catch (RuntimeException e) {
      loop.close();
      throw e;
    }
  }

  /** The address of the open port. */
  public InetSocketAddress address() {
    return address;
  }

  /**
   * Collective with the other ranks' {@link TcpBootstrap#join}: gathers all ranks, then closes the
   * port. The returned group owns everything else; when it throws, everything is closed.
   */
  public TcpBootstrap join() {
    if (joined) {
      throw new IllegalStateException("joined before: address=" + address + "; open another");
    }
    joined = true;
    MonotonicDeadline deadline = MonotonicDeadline.in(settings.deadline());
    try {
      NavigableMap<Integer, FrameConnection> members =
          new RootRendezvous(settings, loop, server).gather(deadline);
      QuietCloser.close(server);
      return complete(members, deadline);
    } catch (BootstrapException failure) {
      release();
      throw failure;
    }
  }

  /** Stops listening. Does nothing after {@link #join}, which took over. */
  @Override
  public void close() {
    if (!joined) {
      joined = true;
      release();
    }
  }

  private TcpBootstrap complete(
      NavigableMap<Integer, FrameConnection> members, MonotonicDeadline deadline) {
    RootStar star = new RootStar(loop, members, settings);
    try {
      star.ready(deadline);
      return new TcpBootstrap(settings, star);
    } catch (BootstrapException failure) {
      star.release();
      throw failure;
    }
  }

  private void release() {
    QuietCloser.close(server);
    loop.close();
  }

  private static TcpListener bind(TcpSettings settings, SelectLoop loop) throws IOException {
    InetSocketAddress wanted = RootAddressResolver.toListenOn(settings);
    ServerSocketChannel server = ServerSocketChannel.open();
    try {
      server.configureBlocking(false);
      server.bind(wanted, Math.max(LEAST_BACKLOG, settings.world()));
      server.register(loop.selector(), SelectionKey.OP_ACCEPT);
      InetSocketAddress bound = (InetSocketAddress) server.getLocalAddress();
      return new TcpListener(settings, loop, server, bound);
    } catch (IOException | RuntimeException e) {
      QuietCloser.close(server);
      throw e;
    }
  }
}
