package dev.oriel.bootstrap;

import java.nio.ByteBuffer;

/**
 * The fixed head of every frame with its fields; all integers are big-endian.
 *
 * <pre>
 *    0               1               2               3
 *   +---------------+---------------+---------------+---------------+
 * 0 |                    magic  "ORIL"  0x4F52494C                  |
 *   +---------------+---------------+---------------+---------------+
 * 4 |   version 1   |     kind      |   operation   |  step length  |
 *   +---------------+---------------+---------------+---------------+
 * 8 |                          sender's rank                        |
 *   +---------------------------------------------------------------+
 * 12|              sequence number of the collective                |
 *   +---------------------------------------------------------------+
 * 16|            sender's time left, in milliseconds                |
 *   +---------------------------------------------------------------+
 * 20|                          body length                          |
 *   +---------------------------------------------------------------+
 * 24|  step: "step length" bytes of UTF-8   |  body ...
 *   +---------------------------------------+-----------------------
 * </pre>
 *
 * Kinds without a name, a sequence or a time leave those fields 0.
 */
record FrameHeader(
    FrameKind kind,
    CollectiveOperation operation,
    int stepLength,
    int rank,
    int sequence,
    int millisLeft,
    int bodyLength) {
  static final int MAGIC = 0x4F52494C;
  static final int VERSION = 1;
  static final int BYTES = 24;

  void put(ByteBuffer out) {
    out.putInt(MAGIC)
        .put((byte) VERSION)
        .put((byte) kind.code())
        .put((byte) operation.code())
        .put((byte) stepLength)
        .putInt(rank)
        .putInt(sequence)
        .putInt(millisLeft)
        .putInt(bodyLength);
  }

  static FrameHeader get(ByteBuffer in) throws ProtocolViolation {
    int magic = in.getInt();
    if (magic != MAGIC) {
      throw new ProtocolViolation("not this protocol: magic=0x%08x".formatted(magic));
    }
    int version = in.get() & 0xFF;
    if (version != VERSION) {
      throw new ProtocolViolation(
          "another version of this protocol: version=%d, here=%d".formatted(version, VERSION));
    }
    return new FrameHeader(
        FrameKind.of(in.get() & 0xFF),
        CollectiveOperation.of(in.get() & 0xFF),
        in.get() & 0xFF,
        in.getInt(),
        in.getInt(),
        in.getInt(),
        in.getInt());
  }

  /** Rejects a frame that is out of turn or too long, before anything is allocated for it. */
  void admit(FrameLimits limits) throws ProtocolViolation {
    int most = limits.maxBody(kind);
    if (most == FrameLimits.NOT_ALLOWED) {
      throw new ProtocolViolation("frame out of turn: kind=" + kind);
    }
    if (bodyLength < 0 || bodyLength > most) {
      throw new ProtocolViolation(
          "frame too long: kind=%s, bytes=%d, max=%d"
              .formatted(kind, Integer.toUnsignedLong(bodyLength), most));
    }
    int longestStep = kind.named() ? CollectiveCall.MAX_STEP_BYTES : 0;
    if (stepLength > longestStep) {
      throw new ProtocolViolation(
          "step name too long: kind=%s, bytes=%d, max=%d".formatted(kind, stepLength, longestStep));
    }
  }
}
