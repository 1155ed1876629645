package dev.oriel.bootstrap;

import dev.oriel.ports.BootstrapException;
import dev.oriel.ports.BootstrapException.Kind;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/**
 * A group's failure as rank 0 sends it to the others; thus all name the same ranks.
 *
 * <pre>
 *   +------+----------------+---------+-------+--------------------------------------+
 *   | kind | message length | message | count | count times: rank(4) length(2) text  |
 *   +------+----------------+---------+-------+--------------------------------------+
 *      1           2          UTF-8       2
 * </pre>
 */
final class FailureRecord {
  static final int MAX_MESSAGE_BYTES = 2048;
  static final int MAX_DETAIL_BYTES = 256;
  static final int MAX_DETAILS = 64;
  static final int MAX_BYTES = 5 + MAX_MESSAGE_BYTES + MAX_DETAILS * (6 + MAX_DETAIL_BYTES);

  private FailureRecord() {}

  static ByteBuffer encode(BootstrapException failure) {
    ByteBuffer out = ByteBuffer.allocate(MAX_BYTES);
    String message = failure.getMessage();
    byte[] utf8 = BoundedText.utf8(message == null ? "" : message, MAX_MESSAGE_BYTES);
    out.put((byte) code(failure.kind())).putShort((short) utf8.length).put(utf8);
    out.putShort((short) Math.min(MAX_DETAILS, failure.details().size()));
    failure.details().entrySet().stream().limit(MAX_DETAILS).forEach(entry -> put(out, entry));
    return out.flip();
  }

  static BootstrapException decode(ByteBuffer encoded) throws ProtocolViolation {
    ByteBuffer in = encoded.duplicate();
    Kind kind = kind(need(in, 1).get());
    String message = text(in, need(in, 2).getShort());
    TreeMap<Integer, String> details = new TreeMap<>();
    for (int left = need(in, 2).getShort(); left > 0; left--) {
      int rank = need(in, 4).getInt();
      details.put(rank, text(in, need(in, 2).getShort()));
    }
    return new BootstrapException(kind, message, details, null);
  }

  private static int code(Kind kind) {
    return switch (kind) {
      case TIMEOUT -> 1;
      case PEER_LOST -> 2;
      case STEP_MISMATCH -> 3;
      case REFUSED -> 4;
      case PROTOCOL -> 5;
      case TOO_LARGE -> 6;
      case CLOSED -> 7;
      case AGREEMENT_FAILED -> 8;
      case INTERRUPTED -> 9;
      case UNAVAILABLE -> 10;
    };
  }

  private static Kind kind(int code) throws ProtocolViolation {
    for (Kind kind : Kind.values()) {
      if (code(kind) == code) {
        return kind;
      }
    }
    throw new ProtocolViolation("unknown failure: kind=" + code);
  }

  private static void put(ByteBuffer out, Map.Entry<Integer, String> detail) {
    byte[] utf8 = BoundedText.utf8(detail.getValue(), MAX_DETAIL_BYTES);
    out.putInt(detail.getKey()).putShort((short) utf8.length).put(utf8);
  }

  private static String text(ByteBuffer in, int length) throws ProtocolViolation {
    byte[] utf8 = new byte[length < 0 ? 0 : length];
    need(in, length).get(utf8);
    return BoundedText.bounded(new String(utf8, StandardCharsets.UTF_8), MAX_MESSAGE_BYTES);
  }

  private static ByteBuffer need(ByteBuffer in, int bytes) throws ProtocolViolation {
    if (bytes < 0 || in.remaining() < bytes) {
      throw new ProtocolViolation("cut failure record: need=" + bytes + ", left=" + in.remaining());
    }
    return in;
  }
}
