package dev.oriel.ibverbs.mlx5;

import dev.oriel.ibverbs.mlx5.SendElement.Remote;
import java.nio.ByteBuffer;

/**
 * Encodes elements as blocks of 64 bytes.
 *
 * <pre>
 *   control   0 opcode modifier 8, index 16, opcode 8 | 4 queue pair 24, segments 8
 *             8 signature | 9 stream 16 | 11 fence 3, -, reporting 2, solicited 1, - | 12 immediate
 *   remote    0 address | 8 key | 12 -
 *   atomic    0 addend or new value | 8 compared value
 *   gather    0 bytes | 4 key | 8 address
 *   inline    0 bytes, highest bit set | 4 the bytes
 *   wait      0 - | 8 completion | 12 completion queue
 * </pre>
 */
public final class ElementWriter {
  static final int INLINE = 0x8000_0000;
  private static final int SEGMENT = 16;

  private ElementWriter() {}

  /** Writes the whole block at {@code at}; bytes that the element does not use become 0. */
  public static void write(ByteBuffer to, int at, SendElement element) {
    for (int i = 0; i < SendElement.BLOCK; i += Long.BYTES) {
      BigEndian.putLong(to, at + i, 0);
    }
    int next = at + SEGMENT;
    int immediate = 0;
    switch (element) {
      case SendElement.Nop _ -> {}
      case SendElement.Write w -> payload(to, remote(to, next, w.remote()), w.payload());
      case SendElement.WriteImmediate w -> {
        immediate = w.immediate();
        payload(to, remote(to, next, w.remote()), w.payload());
      }
      case SendElement.Send s -> payload(to, next, s.payload());
      case SendElement.Read r -> payload(to, remote(to, next, r.remote()), r.payload());
      case SendElement.FetchAdd f ->
          payload(to, atomic(to, remote(to, next, f.remote()), f.addend(), 0), f.old());
      case SendElement.CompareSwap c ->
          payload(to, atomic(to, remote(to, next, c.remote()), c.swap(), c.compare()), c.old());
      case SendElement.Wait w -> {
        BigEndian.putInt(to, next + 8, w.completion());
        BigEndian.putInt(to, next + 12, w.completionQueue());
      }
    }
    control(to, at, element, immediate);
  }

  private static void control(ByteBuffer to, int at, SendElement element, int immediate) {
    SendElement.Head head = element.head();
    BigEndian.putInt(to, at, head.index() << 8 | element.opcode().code());
    BigEndian.putInt(to, at + 4, head.queuePair() << 8 | element.segments());
    int modes =
        head.fence().code() << 5 | head.reporting().code() << 2 | (head.solicited() ? 1 << 1 : 0);
    to.put(at + 11, (byte) modes);
    BigEndian.putInt(to, at + 12, immediate);
  }

  private static int remote(ByteBuffer to, int at, Remote remote) {
    BigEndian.putLong(to, at, remote.address());
    BigEndian.putInt(to, at + 8, remote.key());
    return at + SEGMENT;
  }

  private static int atomic(ByteBuffer to, int at, long value, long compare) {
    BigEndian.putLong(to, at, value);
    BigEndian.putLong(to, at + 8, compare);
    return at + SEGMENT;
  }

  private static void payload(ByteBuffer to, int at, ElementPayload payload) {
    switch (payload) {
      case ElementPayload.Nothing _ -> {}
      case ElementPayload.Gather g -> gather(to, at, g);
      case ElementPayload.Inline i -> {
        BigEndian.putInt(to, at, i.bytes() | INLINE);
        i.copyTo(to, at + 4);
      }
    }
  }

  static void gather(ByteBuffer to, int at, ElementPayload.Gather gather) {
    BigEndian.putInt(to, at, gather.bytes());
    BigEndian.putInt(to, at + 4, gather.key());
    BigEndian.putLong(to, at + 8, gather.address());
  }
}
