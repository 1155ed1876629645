package dev.oriel.ibverbs.mlx5;

import dev.oriel.ibverbs.mlx5.SendElement.Head;
import dev.oriel.ibverbs.mlx5.SendElement.Remote;
import dev.oriel.ports.MachineException;
import java.nio.ByteBuffer;

/**
 * Decodes blocks of 64 bytes as elements; refuses bytes that no element used here has. It ignores
 * reserved bytes, the signature and the stream, and reads nothing outside the block.
 */
public final class ElementReader {
  private static final int SEGMENT = 16;

  private ElementReader() {}

  /**
   * Decodes the block at {@code at}.
   *
   * @throws MachineException if the bytes are no known element
   */
  public static SendElement read(ByteBuffer from, int at) {
    int first = BigEndian.getInt(from, at);
    int second = BigEndian.getInt(from, at + 4);
    ElementOpcode opcode =
        ElementOpcode.of(first & 0xff)
            .orElseThrow(() ->
                DecodingErrors.field("element", "opcode", first & 0xff, "use what Opcode lists"));
    if (first >>> 24 != 0) {
      throw DecodingErrors.field("element", "opmod", first >>> 24, "use 0");
    }
    int segments = second & 0xff;
    int modes = Byte.toUnsignedInt(from.get(at + 11));
    Head head =
        new Head(
            first >>> 8 & 0xffff,
            second >>> 8,
            ElementFence.of(modes >>> 5),
            CompletionReporting.of(modes >>> 2 & 3),
            (modes & 2) != 0);
    SendElement element = body(from, at, opcode, head, segments);
    if (element.segments() != segments) {
      throw segments(segments);
    }
    return element;
  }

  private static SendElement body(
      ByteBuffer from, int at, ElementOpcode opcode, Head head, int segments) {
    int second = at + SEGMENT;
    int third = at + 2 * SEGMENT;
    return switch (opcode) {
      case NOP -> new SendElement.Nop(head);
      case WRITE ->
          new SendElement.Write(head, remote(from, second), payload(from, third, segments - 2));
      case WRITE_IMMEDIATE ->
          new SendElement.WriteImmediate(
              head,
              remote(from, second),
              payload(from, third, segments - 2),
              BigEndian.getInt(from, at + 12));
      case SEND -> new SendElement.Send(head, payload(from, second, segments - 1));
      case READ ->
          new SendElement.Read(head, remote(from, second), payload(from, third, segments - 2));
      case FETCH_ADD ->
          new SendElement.FetchAdd(
              head,
              remote(from, second),
              BigEndian.getLong(from, third),
              gather(from, third + SEGMENT));
      case COMPARE_SWAP ->
          new SendElement.CompareSwap(
              head,
              remote(from, second),
              BigEndian.getLong(from, third + 8),
              BigEndian.getLong(from, third),
              gather(from, third + SEGMENT));
      case WAIT ->
          new SendElement.Wait(
              head, BigEndian.getInt(from, second + 8), completionQueue(from, second + 12));
    };
  }

  private static Remote remote(ByteBuffer from, int at) {
    return new Remote(BigEndian.getLong(from, at), BigEndian.getInt(from, at + 8));
  }

  private static ElementPayload payload(ByteBuffer from, int at, int segments) {
    if (segments == 0) {
      return ElementPayload.NOTHING;
    }
    if (segments < 0) {
      throw segments(segments);
    }
    int word = BigEndian.getInt(from, at);
    if (word >= 0) {
      return gather(from, at);
    }
    int bytes = word & ~ElementWriter.INLINE;
    if (bytes < 1 || bytes > ElementPayload.Inline.MAX) {
      throw DecodingErrors.field("element", "byte_count", bytes, "carry 1 to 28 bytes inline");
    }
    byte[] data = new byte[bytes];
    from.get(at + 4, data);
    return new ElementPayload.Inline(data);
  }

  static ElementPayload.Gather gather(ByteBuffer from, int at) {
    int bytes = BigEndian.getInt(from, at);
    if (bytes < 1) {
      throw DecodingErrors.field("element", "byte_count", bytes, "gather 1 to 2^31-1 bytes");
    }
    return new ElementPayload.Gather(
        bytes, BigEndian.getInt(from, at + 4), BigEndian.getLong(from, at + 8));
  }

  private static int completionQueue(ByteBuffer from, int at) {
    int number = BigEndian.getInt(from, at);
    if (number >>> 24 != 0) {
      throw DecodingErrors.field(
          "element", "cqn", Integer.toUnsignedLong(number), "name a completion queue by 24 bits");
    }
    return number;
  }

  private static MachineException segments(int segments) {
    return DecodingErrors.field("element", "ds", segments, "count the segments of the operation");
  }
}
