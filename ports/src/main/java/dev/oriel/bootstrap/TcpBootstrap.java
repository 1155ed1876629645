package dev.oriel.bootstrap;

import dev.oriel.ports.BootstrapException;

/**
 * A group over TCP: rank 0 listens, the others connect, and every collective goes through rank 0.
 *
 * <p><b>Admission.</b> Each side proves with fresh nonces that it knows the job's token, which
 * itself is never sent (see {@code RootHandshake}). Without a token only loopback addresses are
 * used. The bytes exchanged afterwards are neither encrypted nor signed: use a network whose wires
 * are trusted.
 *
 * <p><b>Time.</b> Rank 0 stops waiting a quarter of a deadline early, at most two seconds. Its
 * verdict, which names the missing ranks, thus reaches the others before their own deadline.
 *
 * <p><b>Loss.</b> Rank 0 sees the end of a process or socket in its current collective or in the
 * next one, and notifies all. A host that vanishes silently is seen by the deadline.
 */
public final class TcpBootstrap extends CollectiveBootstrap {
  TcpBootstrap(TcpSettings settings, GroupLink exchange) {
    super(
        settings.rank(),
        settings.world(),
        settings.deadline(),
        settings.contributionLimit(),
        exchange);
  }

  /**
   * Collective: returns on every rank once every rank has joined; rank 0 may come last.
   *
   * @throws BootstrapException TIMEOUT naming the ranks that are missing, REFUSED, PROTOCOL,
   *     UNAVAILABLE or INTERRUPTED; nothing is left open
   */
  public static TcpBootstrap join(TcpSettings settings) {
    if (settings.world() == 1) {
      return new TcpBootstrap(settings, new InProcessGroup(1).end(0));
    }
    return settings.rank() == 0 ? TcpListener.open(settings).join() : joinAsMember(settings);
  }

  private static TcpBootstrap joinAsMember(TcpSettings settings) {
    MonotonicDeadline deadline = MonotonicDeadline.in(settings.deadline());
    SelectLoop loop = SelectLoop.open(settings.rank());
    try {
      FrameConnection root = new MemberRendezvous(settings, loop, deadline).join();
      return complete(settings, loop, root, deadline);
    } catch (RuntimeException failure) {
      loop.close();
      throw failure;
    }
  }

  private static TcpBootstrap complete(
      TcpSettings settings, SelectLoop loop, FrameConnection root, MonotonicDeadline deadline) {
    MemberStar star = new MemberStar(loop, root, settings);
    try {
      star.awaitReady(deadline);
      return new TcpBootstrap(settings, star);
    } catch (BootstrapException failure) {
      star.release();
      throw failure;
    }
  }
}
