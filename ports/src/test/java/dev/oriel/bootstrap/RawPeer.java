package dev.oriel.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** A peer that speaks the protocol byte by byte, so that it can break it at any point. */
final class RawPeer implements AutoCloseable {
  private static final FrameLimits ANY = kind -> 1 << 20;

  private final Socket socket;
  private final FrameReader reader = new FrameReader();
  private final ReadableByteChannel in;

  private RawPeer(Socket socket) throws IOException {
    this.socket = socket;
    socket.setSoTimeout(20_000);
    socket.setTcpNoDelay(true);
    this.in = Channels.newChannel(socket.getInputStream());
  }

  static RawPeer connect(int port) {
    try {
      return new RawPeer(new Socket(InetAddress.getLoopbackAddress(), port));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static RawPeer accepted(Socket socket) throws IOException {
    return new RawPeer(socket);
  }

  /** A peer that rank 0 accepts as this rank. */
  static RawPeer joined(int port, int rank, int world) {
    RawPeer peer = connect(port);
    peer.prove(rank, world, TcpGroups.TOKEN);
    assertThat(peer.receive().kind()).isEqualTo(FrameKind.WELCOME);
    return peer;
  }

  /** Performs the handshake up to its proof. */
  void prove(int rank, int world, SharedToken token) {
    ByteBuffer mine = RootHandshake.nonce();
    hello(rank, world, mine);
    ByteBuffer theirs = receive().body();
    HandshakeTranscript transcript = new HandshakeTranscript(rank, world, mine, theirs);
    proof(rank, token.sign(transcript.ofMember()));
  }

  void hello(int rank, int world, ByteBuffer nonce) {
    ByteBuffer body = ByteBuffer.allocate(FrameKind.HELLO_BYTES);
    send(Frame.of(FrameKind.HELLO, rank, body.put(nonce.duplicate()).putInt(world).flip()));
  }

  void proof(int rank, byte[] proof) {
    ByteBuffer body = ByteBuffer.wrap(proof);
    send(new Frame(FrameKind.PROOF, CollectiveOperation.NONE, "", rank, 0, 60_000, body));
  }

  /** Sends frames in one write, so that they arrive together. */
  void send(Frame... frames) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (Frame frame : frames) {
      all.writeBytes(frame.head().array());
      byte[] body = new byte[frame.body().remaining()];
      frame.body().get(body);
      all.writeBytes(body);
    }
    send(all.toByteArray());
  }

  void send(byte[] bytes) {
    try {
      socket.getOutputStream().write(bytes);
      socket.getOutputStream().flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A head that announces a body of this length, without the body. */
  void sendHead(
      FrameKind kind, CollectiveOperation operation, String step, int sequence, int bodyLength) {
    ByteBuffer head = ByteBuffer.allocate(FrameHeader.BYTES + step.length());
    new FrameHeader(kind, operation, step.length(), 1, sequence, 60_000, bodyLength).put(head);
    send(head.put(step.getBytes(StandardCharsets.US_ASCII)).array());
  }

  Frame receive() {
    try {
      return Objects.requireNonNull(reader.read(in, ANY));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The reason that rank 0 gives for turning this peer away. */
  String refusal() {
    return reason(FrameKind.REFUSED);
  }

  /** The reason that rank 0 gives for asking this peer to try again. */
  String later() {
    return reason(FrameKind.LATER);
  }

  private String reason(FrameKind kind) {
    Frame frame = receive();
    assertThat(frame.kind()).isEqualTo(kind);
    return BoundedText.of(frame.body());
  }

  /** Accepts a rank, as rank 0 does once all have come. */
  void takeIn(int rank, int world) {
    ByteBuffer theirs = receive().body().slice(0, HandshakeTranscript.NONCE_BYTES);
    ByteBuffer mine = RootHandshake.nonce();
    send(Frame.of(FrameKind.CHALLENGE, 0, mine));
    assertThat(receive().kind()).isEqualTo(FrameKind.PROOF);
    HandshakeTranscript transcript = new HandshakeTranscript(rank, world, theirs, mine);
    int limit = TcpGroups.LIMITS.contributionBytes();
    ByteBuffer welcome = ByteBuffer.allocate(FrameKind.WELCOME_BYTES);
    welcome.put(TcpGroups.TOKEN.sign(transcript.ofRoot(limit))).putInt(limit);
    send(
        Frame.of(FrameKind.WELCOME, 0, welcome.flip()),
        Frame.of(FrameKind.READY, 0, ByteBuffer.allocate(0)));
  }

  /** Ends this direction and waits until the other side has ended too. */
  void leaveAndAwaitEnd() {
    try {
      socket.shutdownOutput();
      socket.getInputStream().readAllBytes();
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Ends like a process that dies with bytes unread. */
  void reset() {
    try {
      socket.setSoLinger(true, 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    close();
  }

  @Override
  public void close() {
    QuietCloser.close(socket);
  }
}
