package dev.oriel.bootstrap;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import org.jspecify.annotations.Nullable;

/**
 * Assembles frames from a non-blocking channel, byte by byte if need be.
 *
 * <p>Invariant: never reads past the current frame, and allocates memory for the rest of a frame
 * only after its head was admitted.
 */
final class FrameReader {
  private static final int SLICE = 1 << 16;

  private final ByteBuffer head = ByteBuffer.allocate(FrameHeader.BYTES);
  private @Nullable FrameHeader header;
  private ByteBuffer rest = ByteBuffer.allocate(0);

  /** The next whole frame, or null when the channel has no more for now. */
  @Nullable Frame read(ReadableByteChannel in, FrameLimits limits) throws IOException {
    FrameHeader known = header;
    if (known == null) {
      if (!fill(in, head)) {
        return null;
      }
      known = FrameHeader.get(head.flip());
      known.admit(limits);
      header = known;
      rest = ByteBuffer.allocate(known.stepLength() + known.bodyLength());
    }
    if (!fill(in, rest)) {
      return null;
    }
    Frame frame = Frame.of(known, rest.flip());
    header = null;
    head.clear();
    rest = ByteBuffer.allocate(0);
    return frame;
  }

  /**
   * Reads in slices, because the JDK copies a heap buffer through a direct one of the same size.
   */
  private static boolean fill(ReadableByteChannel in, ByteBuffer into) throws IOException {
    int end = into.limit();
    while (into.position() < end) {
      into.limit(Math.min(end, into.position() + SLICE));
      int count = in.read(into);
      into.limit(end);
      if (count < 0) {
        throw new EOFException("connection closed");
      }
      if (count == 0) {
        return false;
      }
    }
    return true;
  }
}
