package dev.oriel.bootstrap;

import dev.oriel.ports.SetupStatus;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * A rank's status as an agreement carries it: one byte, 0 for a part that worked and 1 for one that
 * failed, then the cause's text in UTF-8, bounded.
 */
final class StatusRecord {
  static final int MAX_TEXT_BYTES = 1024;

  private StatusRecord() {}

  static byte[] encode(SetupStatus status) {
    return switch (status) {
      case SetupStatus.Ok() -> new byte[] {0};
      case SetupStatus.Failed(String text, var _) -> {
        byte[] utf8 = BoundedText.utf8(text, MAX_TEXT_BYTES);
        yield ByteBuffer.allocate(1 + utf8.length).put((byte) 1).put(utf8).array();
      }
    };
  }

  /** The cause's text if the rank's part failed, empty if it worked. */
  static Optional<String> failureText(byte[] record) throws ProtocolViolation {
    if (record.length == 1 && record[0] == 0) {
      return Optional.empty();
    }
    if (record.length >= 1 && record.length <= 1 + MAX_TEXT_BYTES && record[0] == 1) {
      return Optional.of(BoundedText.of(ByteBuffer.wrap(record, 1, record.length - 1)));
    }
    throw new ProtocolViolation("malformed status: bytes=" + record.length);
  }
}
