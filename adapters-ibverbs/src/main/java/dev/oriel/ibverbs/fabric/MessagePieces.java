package dev.oriel.ibverbs.fabric;

import dev.oriel.ports.MachineException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** A rank's message to the others as a sequence of pieces. */
public final class MessagePieces {
  private MessagePieces() {}

  /** Encodes the pieces, each after its length. */
  public static byte[] bytes(List<byte[]> pieces) {
    int length = pieces.stream().mapToInt(piece -> Integer.BYTES + piece.length).sum();
    ByteBuffer buffer = ByteBuffer.allocate(length);
    pieces.forEach(piece -> buffer.putInt(piece.length).put(piece));
    return buffer.array();
  }

  /**
   * Decodes the given number of pieces of a message from {@code rank}.
   *
   * @throws MachineException if the bytes are anything else
   */
  public static List<byte[]> parse(int rank, byte[] bytes, int count) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    List<byte[]> pieces = new ArrayList<>();
    while (buffer.remaining() >= Integer.BYTES) {
      int length = buffer.getInt();
      if (length < 0 || length > buffer.remaining()) {
        throw foreign(rank, bytes, pieces.size());
      }
      byte[] piece = new byte[length];
      buffer.get(piece);
      pieces.add(piece);
    }
    if (buffer.hasRemaining() || pieces.size() != count) {
      throw foreign(rank, bytes, pieces.size());
    }
    return pieces;
  }

  private static MachineException foreign(int rank, byte[] bytes, int pieces) {
    return new MachineException(
        "bytes are no message of a rank: rank=%d, length=%d, pieces=%d; run the same version on all ranks"
            .formatted(rank, bytes.length, pieces));
  }
}
