package dev.oriel.bootstrap;

import dev.oriel.ports.BootstrapException;
import dev.oriel.ports.BootstrapException.Kind;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Connects a rank to rank 0, proves this rank and verifies rank 0.
 *
 * <p>It retries until the deadline, since rank 0 may start later: when rank 0 is not reachable,
 * hangs up during the handshake, or has no time or room for it now. A refusal and an answer in
 * another protocol are final.
 */
final class MemberRendezvous {
  private static final long FIRST_PAUSE = TimeUnit.MILLISECONDS.toNanos(10);
  private static final long LAST_PAUSE = TimeUnit.MILLISECONDS.toNanos(500);
  private static final long ONE_ATTEMPT = TimeUnit.SECONDS.toMillis(5);

  private final TcpSettings settings;
  private final SelectLoop loop;
  private final MonotonicDeadline deadline;
  private String lastReason = "none";

  MemberRendezvous(TcpSettings settings, SelectLoop loop, MonotonicDeadline deadline) {
    this.settings = settings;
    this.loop = loop;
    this.deadline = deadline;
  }

  /** A connection to rank 0 on which both sides have proved that they know the token. */
  FrameConnection join() {
    long pause = FIRST_PAUSE;
    while (true) {
      // Before rank 0 hears of this rank, as it may then count on it.
      loop.refuseWhenOver();
      try {
        return handshake(connect());
      } catch (ProtocolViolation e) {
        throw turnedAway(
            Kind.PROTOCOL,
            "what answers is not rank 0 of this protocol",
            String.valueOf(e.getMessage()));
      } catch (IOException e) {
        lastReason = String.valueOf(e.getMessage());
      }
      checkTime();
      loop.await(Math.min(pause, Math.max(1, deadline.left())), key -> {});
      pause = Math.min(2 * pause, LAST_PAUSE);
    }
  }

  private FrameConnection connect() throws IOException {
    InetSocketAddress address = RootAddressResolver.toCall(settings);
    SocketChannel channel = SocketChannel.open();
    try {
      channel.configureBlocking(false);
      if (!channel.connect(address)) {
        channel.register(loop.selector(), SelectionKey.OP_CONNECT);
        awaitConnected(channel);
      }
      if (channel.getLocalAddress().equals(channel.getRemoteAddress())) {
        throw new ConnectException(
            "no process listens on this port; the socket connected to itself");
      }
    } catch (IOException | RuntimeException e) {
      QuietCloser.close(channel);
      throw e;
    }
    return FrameConnection.over(channel, loop.selector());
  }

  private void awaitConnected(SocketChannel channel) throws IOException {
    MonotonicDeadline attempt = MonotonicDeadline.inMillis(ONE_ATTEMPT).earlier(deadline);
    while (!channel.finishConnect()) {
      if (attempt.passed()) {
        throw new ConnectException("no answer to the connection request");
      }
      loop.await(attempt.left(), key -> {});
    }
  }

  private FrameConnection handshake(FrameConnection root) throws IOException {
    try {
      ByteBuffer mine = RootHandshake.nonce();
      ByteBuffer hello = ByteBuffer.allocate(FrameKind.HELLO_BYTES);
      hello.put(mine.duplicate()).putInt(settings.world());
      root.send(Frame.of(FrameKind.HELLO, settings.rank(), hello.flip()));
      ByteBuffer theirs = expect(root, FrameKind.CHALLENGE, HandshakeTranscript.NONCE_BYTES);
      HandshakeTranscript transcript =
          new HandshakeTranscript(settings.rank(), settings.world(), mine, theirs);
      ByteBuffer proof = ByteBuffer.wrap(settings.secret().sign(transcript.ofMember()));
      root.send(proofFrame(proof));
      verify(expect(root, FrameKind.WELCOME, FrameKind.WELCOME_BYTES), transcript);
      return root;
    } catch (IOException | RuntimeException e) {
      root.close(Frame.of(FrameKind.LEAVE, settings.rank(), String.valueOf(e.getMessage())));
      throw e;
    }
  }

  private Frame proofFrame(ByteBuffer proof) {
    return new Frame(
        FrameKind.PROOF,
        CollectiveOperation.NONE,
        "",
        settings.rank(),
        0,
        deadline.leftMillis(),
        proof);
  }

  private void verify(ByteBuffer welcome, HandshakeTranscript transcript) {
    byte[] proof = new byte[HandshakeTranscript.PROOF_BYTES];
    welcome.get(proof);
    int limit = welcome.getInt();
    if (!settings.secret().verifies(transcript.ofRoot(limit), proof)) {
      throw turnedAway(Kind.REFUSED, "rank 0 did not prove that it knows the token", "wrong proof");
    }
    if (limit != settings.contributionLimit()) {
      throw turnedAway(
          Kind.REFUSED,
          "rank 0 has other limits",
          "here=%d there=%d".formatted(settings.contributionLimit(), limit));
    }
  }

  private ByteBuffer expect(FrameConnection root, FrameKind kind, int bytes) throws IOException {
    FrameLimits limits = FrameLimits.joining(kind, bytes);
    Frame frame = root.receive(limits);
    while (frame == null) {
      lastReason = "connected, but no " + kind;
      checkTime();
      loop.await(deadline.left(), key -> {});
      root.flush();
      frame = root.receive(limits);
    }
    if (frame.kind() == FrameKind.REFUSED) {
      throw turnedAway(Kind.REFUSED, "rank 0 refused this rank", BoundedText.of(frame.body()));
    }
    if (frame.kind() == FrameKind.LATER) {
      throw new ConnectException("rank 0 asked to come later: " + BoundedText.of(frame.body()));
    }
    return RootHandshake.exactly(frame, bytes);
  }

  private void checkTime() {
    if (deadline.passed()) {
      throw new BootstrapException(
          Kind.TIMEOUT,
          "rank 0 could not be joined before the deadline: missing=[0], host=%s, port=%d, rank=%d, lastReason=%s; start rank 0 there, or allow more time"
              .formatted(settings.host(), settings.port(), settings.rank(), lastReason),
          Map.of(0, lastReason),
          null);
    }
  }

  private BootstrapException turnedAway(Kind kind, String what, String reason) {
    return new BootstrapException(
        kind,
        "%s: reason=%s, host=%s, port=%d, rank=%d, world=%d; give every rank the same address, port, token, world and limits, and its own rank"
            .formatted(
                what, reason, settings.host(), settings.port(), settings.rank(), settings.world()),
        Map.of(0, reason),
        null);
  }
}
