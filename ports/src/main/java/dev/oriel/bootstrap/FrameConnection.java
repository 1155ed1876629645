package dev.oriel.bootstrap;

import java.io.IOException;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** A non-blocking socket that sends and receives whole frames; closing it twice is harmless. */
final class FrameConnection {
  private static final int SLICE = 1 << 16;

  private final SocketChannel channel;
  private final SelectionKey key;
  private final SocketAddress peer;
  private final FrameReader reader = new FrameReader();
  private final ArrayDeque<ByteBuffer> unsent = new ArrayDeque<>();

  private boolean listening = true;
  private int rank = -1;

  private FrameConnection(SocketChannel channel, SelectionKey key, SocketAddress peer) {
    this.channel = channel;
    this.key = key;
    this.peer = peer;
  }

  /** Takes over a connected channel; closes it when that fails. */
  static FrameConnection over(SocketChannel channel, Selector selector) throws IOException {
    try {
      channel.configureBlocking(false);
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
      SocketAddress peer = channel.getRemoteAddress();
      SelectionKey known = channel.keyFor(selector);
      SelectionKey key = known == null ? channel.register(selector, SelectionKey.OP_READ) : known;
      FrameConnection connection = new FrameConnection(channel, key, peer);
      key.attach(connection);
      connection.updateInterest();
      return connection;
    } catch (IOException | RuntimeException e) {
      QuietCloser.close(channel);
      throw e;
    }
  }

  SocketAddress peer() {
    return peer;
  }

  /** The rank that the peer has proved to be, or -1 before that. */
  int rank() {
    return rank;
  }

  void provedToBe(int itsRank) {
    rank = itsRank;
  }

  /** Sends as much as the socket takes now; {@link #flush} sends the rest. */
  boolean send(Frame frame) throws IOException {
    unsent.add(frame.head());
    unsent.add(frame.body());
    return flush();
  }

  /** Whether nothing is left to send; otherwise the key also asks for room to write. */
  boolean flush() throws IOException {
    while (!unsent.isEmpty() && drain(unsent.getFirst())) {
      unsent.removeFirst();
    }
    updateInterest();
    return unsent.isEmpty();
  }

  boolean flushed() {
    return unsent.isEmpty();
  }

  /** Whether incoming bytes wake the selector; off while only sending matters. */
  void listen(boolean on) {
    listening = on;
    updateInterest();
  }

  /** The next whole frame, or null when none is there yet. */
  @Nullable Frame receive(FrameLimits limits) throws IOException {
    return reader.read(channel, limits);
  }

  /** Sends a last frame if the socket takes it at once, then closes. */
  void close(Frame last) {
    try {
      if (channel.isOpen()) {
        send(last);
        forgetUnread();
      }
    } catch (IOException e) {
      // The peer is gone already; it needs no farewell.
    } finally {
      close();
    }
  }

  void close() {
    unsent.clear();
    QuietCloser.close(channel);
  }

  /** Closing with bytes unread would reset the connection and could destroy the last frame. */
  private void forgetUnread() throws IOException {
    ByteBuffer scratch = ByteBuffer.allocate(4096);
    int reads = 0;
    while (reads < 16 && channel.read(scratch.clear()) > 0) {
      reads++;
    }
  }

  private void updateInterest() {
    if (key.isValid()) {
      int read = listening ? SelectionKey.OP_READ : 0;
      key.interestOps(unsent.isEmpty() ? read : read | SelectionKey.OP_WRITE);
    }
  }

  private boolean drain(ByteBuffer from) throws IOException {
    int end = from.limit();
    while (from.position() < end) {
      from.limit(Math.min(end, from.position() + SLICE));
      int count = channel.write(from);
      from.limit(end);
      if (count == 0) {
        return false;
      }
    }
    return true;
  }
}
