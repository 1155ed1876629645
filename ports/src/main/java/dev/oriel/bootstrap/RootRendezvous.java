package dev.oriel.bootstrap;

import dev.oriel.ports.BootstrapException;
import dev.oriel.ports.BootstrapException.Kind;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Rank 0 gathers the other ranks, all connections at once in the calling thread.
 *
 * <p>Rank 0 turns away and notes a peer that sends rubbish, sends too slowly, or claims a rank that
 * it may not be. Such a peer disturbs nobody: a read never waits, a stranger gets memory for one
 * small frame of fixed size, its time is limited, and so is the number of strangers (the oldest
 * gives way). A rank that joined and is lost before the group is complete may join again.
 */
final class RootRendezvous {
  private static final int SPARE_STRANGERS = 64;

  private final TcpSettings settings;
  private final SelectLoop loop;
  private final ServerSocketChannel server;
  private final Map<FrameConnection, RootHandshake> strangers = new LinkedHashMap<>();
  private final NavigableMap<Integer, FrameConnection> joined = new TreeMap<>();
  private final Map<Integer, MonotonicDeadline> deadlines = new TreeMap<>();
  private final RecentRefusals refusals = new RecentRefusals();

  RootRendezvous(TcpSettings settings, SelectLoop loop, ServerSocketChannel server) {
    this.settings = settings;
    this.loop = loop;
    this.server = server;
  }

  /** The other ranks' connections, each proved; on failure each gets the reason and is closed. */
  NavigableMap<Integer, FrameConnection> gather(MonotonicDeadline deadline) {
    deadlines.put(0, deadline.verdict());
    try {
      while (joined.size() < settings.world() - 1) {
        awaitUntil(deadlines.values().stream().reduce(MonotonicDeadline::earlier).orElse(deadline));
        dropTheSlow();
      }
      return joined;
    } catch (BootstrapException failure) {
      dismiss(failure);
      throw failure;
    } finally {
      strangers.keySet().forEach(FrameConnection::close);
    }
  }

  private void awaitUntil(MonotonicDeadline limit) {
    if (limit.passed()) {
      throw missing();
    }
    long left = limit.left();
    for (RootHandshake stranger : strangers.values()) {
      left = Math.min(left, Math.max(1, stranger.expiry().left()));
    }
    loop.await(left, this::serve);
  }

  private void serve(SelectionKey key) {
    if (!(key.attachment() instanceof FrameConnection connection)) {
      accept();
    } else if (connection.rank() > 0) {
      hearJoined(connection);
    } else {
      hearStranger(connection);
    }
  }

  private void accept() {
    try {
      SocketChannel channel = server.accept();
      while (channel != null) {
        meet(FrameConnection.over(channel, loop.selector()));
        channel = server.accept();
      }
    } catch (IOException e) {
      makeRoom(e);
    }
  }

  private void meet(FrameConnection connection) {
    if (strangers.size() >= settings.world() + SPARE_STRANGERS) {
      sendAway(strangers.keySet().iterator().next(), "too many strangers at once");
    }
    strangers.put(connection, new RootHandshake(connection, settings, joined::containsKey));
  }

  /** Accepting failed, most likely for want of descriptors: strangers give theirs back. */
  private void makeRoom(IOException cause) {
    if (strangers.isEmpty()) {
      throw BootstrapErrors.unavailable(
          "cannot accept connections", settings.host(), cause, "free file descriptors");
    }
    List.copyOf(strangers.keySet())
        .forEach(stranger -> sendAway(stranger, "no room: " + cause.getMessage()));
  }

  private void hearStranger(FrameConnection connection) {
    RootHandshake handshake = strangers.get(connection);
    if (handshake == null) {
      return;
    }
    switch (handshake.advance()) {
      case RootHandshake.Outcome.Pending() -> {}
      case RootHandshake.Outcome.Refused(String reason) ->
          turnAway(connection, FrameKind.REFUSED, reason);
      case RootHandshake.Outcome.Joined(int rank, MonotonicDeadline deadline) -> {
        strangers.remove(connection);
        joined.put(rank, connection);
        deadlines.put(rank, deadline.verdict());
      }
    }
  }

  private void hearJoined(FrameConnection connection) {
    try {
      connection.flush();
      Frame frame =
          connection.receive(FrameLimits.only(FrameKind.LEAVE, FrameKind.MAX_REASON_BYTES));
      if (frame != null) {
        forget(connection, "left: " + BoundedText.of(frame.body()));
      }
    } catch (IOException e) {
      forget(connection, "lost: " + e.getMessage());
    }
  }

  private void forget(FrameConnection connection, String reason) {
    joined.remove(connection.rank());
    deadlines.remove(connection.rank());
    refusals.add(connection.peer(), "rank " + connection.rank() + " " + reason);
    connection.close();
  }

  private void dropTheSlow() {
    for (RootHandshake stranger : List.copyOf(strangers.values())) {
      if (stranger.expiry().passed()) {
        sendAway(stranger.connection(), "too slow to prove itself");
      }
    }
  }

  /** A slow or surplus stranger may be a rank of the job, so it may try again. */
  private void sendAway(FrameConnection connection, String reason) {
    turnAway(connection, FrameKind.LATER, reason);
  }

  private void turnAway(FrameConnection connection, FrameKind how, String reason) {
    strangers.remove(connection);
    refusals.add(connection.peer(), reason);
    connection.close(Frame.of(how, 0, reason));
  }

  private BootstrapException missing() {
    List<Integer> missing =
        IntStream.range(1, settings.world()).filter(r -> !joined.containsKey(r)).boxed().toList();
    Map<Integer, String> details = new TreeMap<>();
    missing.forEach(rank -> details.put(rank, "did not join"));
    return new BootstrapException(
        Kind.TIMEOUT,
        "ranks did not join before the deadline: missing=%s, joined=%d, world=%d, %s; start every rank with the same address, port, token and world, or allow more time"
            .formatted(BoundedText.ranks(missing), joined.size() + 1, settings.world(), refusals),
        details,
        null);
  }

  private void dismiss(BootstrapException failure) {
    Frame last =
        failure.kind() == Kind.TIMEOUT
            ? Frame.of(FrameKind.FAILURE, 0, FailureRecord.encode(failure))
            : Frame.of(FrameKind.LEAVE, 0, "rank 0 gave up joining: " + failure.kind());
    new ArrayList<>(joined.values()).forEach(connection -> connection.close(last));
  }
}
