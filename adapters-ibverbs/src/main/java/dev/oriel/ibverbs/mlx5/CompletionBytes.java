package dev.oriel.ibverbs.mlx5;

import dev.oriel.ibverbs.mlx5.CompletionElement.Kind;
import dev.oriel.ibverbs.mlx5.CompletionElement.Side;
import java.nio.ByteBuffer;

/**
 * Completions as 64 bytes.
 *
 * <pre>
 *   0 for receives 32 | 36 immediate | 44 bytes | 48 time | 54 vendor's syndrome | 55 syndrome
 *   56 opcode of the element 8, queue pair 24 | 60 index 16 | 62 signature
 *   63 opcode 4, format 2, solicited 1, owner 1
 * </pre>
 *
 * <p>The word at 56 is written last, with release. A poll that acquires its owner bit is ordered
 * after the writes of the rest of the completion, and after everything before them.
 */
public final class CompletionBytes {
  private static final int IMMEDIATE = 36;
  private static final int COUNT = 44;
  private static final int SYNDROMES = 48;
  private static final int TAIL = 56;
  private static final int INVALID = 15;

  private CompletionBytes() {}

  /** Marks every place of a new queue as holding no completion. */
  public static void clear(ByteBuffer queue) {
    for (int at = 0; at < queue.capacity(); at++) {
      queue.put(at, (byte) 0xff);
    }
  }

  /** Writes all 64 bytes. */
  public static void write(ByteBuffer to, int at, CompletionElement completion, int owner) {
    for (int i = 0; i < TAIL; i += Long.BYTES) {
      BigEndian.putLong(to, at + i, 0);
    }
    int code;
    int opcode = 0;
    switch (completion) {
      case CompletionElement.Done d -> {
        code = 0;
        opcode = d.opcode().code();
        BigEndian.putInt(to, at + COUNT, d.bytes());
      }
      case CompletionElement.Arrived a -> {
        code = a.kind().code();
        BigEndian.putInt(to, at + IMMEDIATE, a.immediate());
        BigEndian.putInt(to, at + COUNT, a.bytes());
      }
      case CompletionElement.Failed f -> {
        code = f.side().code();
        opcode = f.opcode();
        BigEndian.putLong(to, at + SYNDROMES, f.vendor() << 8 | f.syndrome().code());
      }
    }
    long tail =
        (long) opcode << 56
            | (long) completion.queuePair() << 32
            | (long) completion.index() << 16
            | (code << 4)
            | (owner & 1);
    BigEndian.putLongRelease(to, at + TAIL, tail);
  }

  /** Whether the place holds a completion of the round with this owner bit. */
  public static boolean valid(ByteBuffer from, int at, int owner) {
    int code = (int) BigEndian.getLongAcquire(from, at + TAIL) & 0xff;
    return code >>> 4 != INVALID && (code & 1) == (owner & 1);
  }

  /**
   * The index of the element that a place reports, or -1 if it reports none. This is all that a
   * poll of a collapsed queue needs, in one load.
   */
  public static int index(ByteBuffer from, int at) {
    int word = (int) BigEndian.getLongAcquire(from, at + TAIL);
    return (word & 0xff) >>> 4 == INVALID ? -1 : word >>> 16;
  }

  /** Whether the place reports a failure. */
  public static boolean failed(ByteBuffer from, int at) {
    int code = (from.get(at + CompletionElement.BYTES - 1) & 0xff) >>> 4;
    return code == Side.REQUESTER.code() || code == Side.RESPONDER.code();
  }

  /**
   * Decodes the completion.
   *
   * @throws dev.oriel.ports.MachineException if the bytes are no known completion
   */
  public static CompletionElement read(ByteBuffer from, int at) {
    long tail = BigEndian.getLongAcquire(from, at + TAIL);
    int code = (int) tail >>> 4 & 0xf;
    int opcode = (int) (tail >>> 56);
    int queuePair = (int) (tail >>> 32) & 0xff_ffff;
    int index = (int) tail >>> 16 & 0xffff;
    int bytes = BigEndian.getInt(from, at + COUNT);
    int immediate = BigEndian.getInt(from, at + IMMEDIATE);
    return switch (code) {
      case 0 ->
          new CompletionElement.Done(
              ElementOpcode.of(opcode)
                  .orElseThrow(() ->
                      DecodingErrors.field("completion", "sop", opcode, "use what Opcode lists")),
              queuePair,
              index,
              bytes);
      case 1 ->
          new CompletionElement.Arrived(Kind.WRITE_IMMEDIATE, immediate, bytes, queuePair, index);
      case 2 -> new CompletionElement.Arrived(Kind.SEND, immediate, bytes, queuePair, index);
      case 13 -> failed(from, at, Side.REQUESTER, opcode, queuePair, index);
      case 14 -> failed(from, at, Side.RESPONDER, opcode, queuePair, index);
      default -> throw DecodingErrors.field("completion", "opcode", code, "use 0, 1, 2, 13 or 14");
    };
  }

  private static CompletionElement failed(
      ByteBuffer from, int at, Side side, int opcode, int queuePair, int index) {
    int syndromes = (int) BigEndian.getLong(from, at + SYNDROMES);
    int syndrome = syndromes & 0xff;
    return new CompletionElement.Failed(
        side,
        Syndrome.of(syndrome)
            .orElseThrow(() ->
                DecodingErrors.field(
                    "completion", "syndrome", syndrome, "use what Syndrome lists")),
        syndromes >>> 8 & 0xff,
        opcode,
        queuePair,
        index);
  }
}
