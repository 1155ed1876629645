package dev.oriel.bootstrap;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * All contributions of a round in rank order, each as length(4) and its bytes.
 *
 * <pre>
 *   +----------+----------------+----------+----------------+----
 *   | length 0 | contribution 0 | length 1 | contribution 1 | ...
 *   +----------+----------------+----------+----------------+----
 * </pre>
 */
final class ResultRecord {
  private ResultRecord() {}

  static ByteBuffer encode(List<ByteBuffer> contributions) {
    int bytes = contributions.stream().mapToInt(c -> 4 + c.remaining()).reduce(0, Math::addExact);
    ByteBuffer out = ByteBuffer.allocate(bytes);
    contributions.forEach(c -> out.putInt(c.remaining()).put(c.duplicate()));
    return out.flip();
  }

  static List<ByteBuffer> decode(ByteBuffer encoded, int world) throws ProtocolViolation {
    ByteBuffer in = encoded.duplicate();
    List<ByteBuffer> contributions = new ArrayList<>(world);
    while (contributions.size() < world) {
      int length = in.remaining() < 4 ? -1 : in.getInt();
      if (length < 0 || length > in.remaining()) {
        throw new ProtocolViolation(
            "cut result: rank=%d, length=%d, left=%d"
                .formatted(contributions.size(), length, in.remaining()));
      }
      contributions.add(in.slice(in.position(), length));
      in.position(in.position() + length);
    }
    if (in.hasRemaining()) {
      throw new ProtocolViolation(
          "result too long: world=%d, left=%d".formatted(world, in.remaining()));
    }
    return contributions;
  }
}
