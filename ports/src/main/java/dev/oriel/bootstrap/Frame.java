package dev.oriel.bootstrap;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** One message between rank 0 and another rank; {@link FrameHeader} draws its bytes. */
record Frame(
    FrameKind kind,
    CollectiveOperation operation,
    String step,
    int rank,
    int sequence,
    int millisLeft,
    ByteBuffer body) {

  /** A frame outside any collective. */
  static Frame of(FrameKind kind, int rank, ByteBuffer body) {
    return new Frame(kind, CollectiveOperation.NONE, "", rank, 0, 0, body);
  }

  static Frame of(FrameKind kind, int rank, String reason) {
    return of(kind, rank, ByteBuffer.wrap(BoundedText.utf8(reason, FrameKind.MAX_REASON_BYTES)));
  }

  static Frame of(FrameKind kind, int rank, CollectiveCall call, int sequence, ByteBuffer body) {
    return new Frame(
        kind, call.operation(), call.step(), rank, sequence, call.deadline().leftMillis(), body);
  }

  /** The body from its start, even where it was read before. */
  @Override
  public ByteBuffer body() {
    return body.duplicate();
  }

  String label() {
    return operation.label(step);
  }

  /** Everything before the body, ready to be written. */
  ByteBuffer head() {
    byte[] name = step.getBytes(StandardCharsets.UTF_8);
    ByteBuffer head = ByteBuffer.allocate(FrameHeader.BYTES + name.length);
    new FrameHeader(kind, operation, name.length, rank, sequence, millisLeft, body.remaining())
        .put(head);
    return head.put(name).flip();
  }

  static Frame of(FrameHeader header, ByteBuffer rest) {
    ByteBuffer name = rest.slice(0, header.stepLength());
    ByteBuffer body = rest.slice(header.stepLength(), header.bodyLength());
    return new Frame(
        header.kind(),
        header.operation(),
        BoundedText.of(name),
        header.rank(),
        header.sequence(),
        header.millisLeft(),
        body);
  }
}
