package dev.oriel.ibverbs.verbs;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.oriel.ibverbs.post.WorkRequest;
import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import java.util.StringJoiner;

/** The bytes of a request in hex, 8 to a group; pointers count from the start of its block. */
public final class BlockPrinter {
  private BlockPrinter() {}

  public static String print(WorkRequest request) {
    byte[] bytes = bytes(request);
    int sge = (int) SendRequests.SGE;
    int word = (int) SendRequests.WORD;
    return "wr %s | sge %s | word %s"
        .formatted(hex(bytes, 0, sge), hex(bytes, sge, word), hex(bytes, word, word + Long.BYTES));
  }

  static byte[] bytes(WorkRequest request) {
    MemorySegment block = MemorySegment.ofArray(new long[(int) (SendRequests.STRIDE / Long.BYTES)]);
    new SendRequests(block).put(0, request);
    return block.toArray(JAVA_BYTE);
  }

  private static String hex(byte[] bytes, int from, int to) {
    int end = to;
    while (end - Long.BYTES >= from && zero(bytes, end - Long.BYTES)) {
      end -= Long.BYTES;
    }
    StringJoiner text = new StringJoiner(" ");
    for (int i = from; i < end; i += Long.BYTES) {
      text.add(HexFormat.of().formatHex(bytes, i, i + Long.BYTES));
    }
    if (end < to) {
      text.add("0*" + (to - end));
    }
    return text.toString();
  }

  private static boolean zero(byte[] bytes, int from) {
    for (int i = from; i < from + Long.BYTES; i++) {
      if (bytes[i] != 0) {
        return false;
      }
    }
    return true;
  }
}
