package dev.oriel.ibverbs.post;

import java.util.Optional;

/** Writes requests for people: reports and golden files. */
public final class RequestPrinter {
  private RequestPrinter() {}

  /** The request in one line. */
  public static String print(Request request) {
    return "lane %d to %d #%d %s%s%s"
        .formatted(
            request.queue().lane(),
            request.queue().peer(),
            request.number(),
            print(request.operation()),
            request.fenced() ? " fenced" : "",
            request.signalled() ? " signalled" : "");
  }

  private static String print(Operation operation) {
    return switch (operation) {
      case Operation.Write(var local, var remote) ->
          "write " + print(remote) + " <- " + print(local);
      case Operation.Read(var local, var remote) -> "read " + print(local) + " <- " + print(remote);
      case Operation.SetSlot(var slot, long value) -> "set " + print(slot) + " <- " + word(value);
      case Operation.AddSlot(var slot, long value) -> "add " + print(slot) + " <- " + word(value);
      case Operation.SetWord(var word, long value) -> "set " + print(word) + " <- " + word(value);
      case Operation.AddWord(var old, var word, long value) ->
          "add " + print(word) + " <- " + word(value) + print(old);
      case Operation.SwapWord(var old, var word, long expected, long value) ->
          "swap " + print(word) + " <- " + word(value) + " if " + word(expected) + print(old);
      case Operation.ReadBack(int peer) -> "read back slots@" + peer;
    };
  }

  private static String print(Optional<BufferRange> old) {
    return old.map(range -> ", old to " + print(range)).orElse("");
  }

  private static String print(BufferRange range) {
    return "%s@%d[%d, %d bytes]"
        .formatted(range.buffer(), range.rank(), range.offset(), range.bytes());
  }

  private static String print(SlotWord slot) {
    return "%s[%d]@%d of source %d at %d"
        .formatted(slot.signal(), slot.index(), slot.owner(), slot.source(), slot.offset());
  }

  private static String word(long value) {
    return Long.toUnsignedString(value);
  }
}
