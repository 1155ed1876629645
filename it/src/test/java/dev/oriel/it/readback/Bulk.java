package dev.oriel.it.readback;

import dev.oriel.it.readback.Event.Kind;
import java.util.Optional;

/** A copy by the block's unit, which thread 0 requests in pieces, each byte once. */
final class Bulk extends Wanted {
  private final Bytes unread = new Bytes();
  private final Bytes unwritten = new Bytes();
  private final int bytes;

  Bulk(String step, long to, long from, long bytes) {
    super(step);
    this.bytes = (int) bytes;
    unread.add(from, bytes);
    unwritten.add(to, bytes);
  }

  @Override
  boolean takes(Event e) {
    Bytes left = e.kind() == Kind.LOAD ? unread : unwritten;
    if (e.thread() != 0
        || !e.order().equals("bulk")
        || e.kind() == Kind.FENCE
        || !left.has(e.place().address(), e.place().bytes())) {
      return false;
    }
    left.remove(e.place().address(), e.place().bytes());
    return true;
  }

  @Override
  Optional<String> missing(Layout layout) {
    return unread.first().isPresent() || unwritten.first().isPresent()
        ? Optional.of("the unit does not copy every byte")
        : Optional.empty();
  }

  @Override
  int actions() {
    return 2 * bytes;
  }
}
