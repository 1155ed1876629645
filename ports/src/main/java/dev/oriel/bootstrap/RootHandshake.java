package dev.oriel.bootstrap;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Rank 0's side of the handshake with one stranger: one step per frame, never waiting.
 *
 * <pre>
 *   member                                   rank 0
 *     HELLO  rank, world, member's nonce  →
 *                                         ←  CHALLENGE  rank 0's nonce
 *     PROOF  HMAC of all that             →             token, then world and rank are judged
 *                                         ←  WELCOME  HMAC of all that and the limit, or REFUSED
 *                                         ←  READY  once every rank has joined
 * </pre>
 *
 * The member proves itself first, so a peer that merely connects learns nothing that helps it to
 * guess the token. Rank 0 answers LATER to a peer that it has no time or room for.
 */
final class RootHandshake {
  /** The state of the handshake after the latest bytes. */
  sealed interface Outcome {
    record Pending() implements Outcome {}

    record Joined(int rank, MonotonicDeadline deadline) implements Outcome {}

    record Refused(String reason) implements Outcome {}
  }

  private static final SecureRandom RANDOM = new SecureRandom();

  private final FrameConnection connection;
  private final TcpSettings settings;
  private final IntPredicate taken;
  private final MonotonicDeadline expiry;
  private @Nullable HandshakeTranscript transcript;

  RootHandshake(FrameConnection connection, TcpSettings settings, IntPredicate taken) {
    this.connection = connection;
    this.settings = settings;
    this.taken = taken;
    this.expiry = MonotonicDeadline.in(settings.handshake());
  }

  FrameConnection connection() {
    return connection;
  }

  MonotonicDeadline expiry() {
    return expiry;
  }

  Outcome advance() {
    try {
      connection.flush();
      HandshakeTranscript known = transcript;
      return known == null ? hello() : proof(known);
    } catch (IOException e) {
      return new Outcome.Refused(String.valueOf(e.getMessage()));
    }
  }

  private Outcome hello() throws IOException {
    Frame frame = connection.receive(FrameLimits.only(FrameKind.HELLO, FrameKind.HELLO_BYTES));
    if (frame == null) {
      return new Outcome.Pending();
    }
    ByteBuffer body = exactly(frame, FrameKind.HELLO_BYTES);
    ByteBuffer memberNonce = body.slice(0, HandshakeTranscript.NONCE_BYTES);
    int world = body.getInt(HandshakeTranscript.NONCE_BYTES);
    ByteBuffer rootNonce = nonce();
    transcript = new HandshakeTranscript(frame.rank(), world, memberNonce, rootNonce);
    connection.send(Frame.of(FrameKind.CHALLENGE, 0, rootNonce));
    return new Outcome.Pending();
  }

  private Outcome proof(HandshakeTranscript known) throws IOException {
    Frame frame =
        connection.receive(FrameLimits.only(FrameKind.PROOF, HandshakeTranscript.PROOF_BYTES));
    if (frame == null) {
      return new Outcome.Pending();
    }
    byte[] proof = new byte[HandshakeTranscript.PROOF_BYTES];
    exactly(frame, HandshakeTranscript.PROOF_BYTES).get(proof);
    if (!settings.secret().verifies(known.ofMember(), proof)) {
      return new Outcome.Refused("wrong token: claimedRank=" + known.rank());
    }
    String objection = objection(known);
    if (objection != null) {
      return new Outcome.Refused(objection);
    }
    welcome(known);
    return new Outcome.Joined(known.rank(), MonotonicDeadline.inMillis(frame.millisLeft()));
  }

  private @Nullable String objection(HandshakeTranscript known) {
    if (known.world() != settings.world()) {
      return "world sizes differ: rank=%d, world=%d, worldOfRank0=%d"
          .formatted(known.rank(), known.world(), settings.world());
    }
    if (known.rank() < 0 || known.rank() >= settings.world()) {
      return "rank out of range: rank=%d, world=%d".formatted(known.rank(), settings.world());
    }
    return known.rank() == 0 || taken.test(known.rank())
        ? "duplicate rank: rank=" + known.rank()
        : null;
  }

  private void welcome(HandshakeTranscript known) throws IOException {
    int limit = settings.contributionLimit();
    ByteBuffer body = ByteBuffer.allocate(FrameKind.WELCOME_BYTES);
    body.put(settings.secret().sign(known.ofRoot(limit))).putInt(limit);
    connection.send(Frame.of(FrameKind.WELCOME, 0, body.flip()));
    connection.provedToBe(known.rank());
  }

  static ByteBuffer nonce() {
    byte[] fresh = new byte[HandshakeTranscript.NONCE_BYTES];
    RANDOM.nextBytes(fresh);
    return ByteBuffer.wrap(fresh).asReadOnlyBuffer();
  }

  static ByteBuffer exactly(Frame frame, int bytes) throws ProtocolViolation {
    if (frame.body().remaining() != bytes) {
      throw new ProtocolViolation(
          "frame has a bad length: kind=%s, bytes=%d, want=%d"
              .formatted(frame.kind(), frame.body().remaining(), bytes));
    }
    return frame.body();
  }
}
