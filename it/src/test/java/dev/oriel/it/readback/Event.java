package dev.oriel.it.readback;

import java.util.List;

/**
 * An action of one thread that others may observe, or that orders its actions.
 *
 * @param line its line in the text
 * @param order {@code weak} if the instruction has none
 * @param scope empty if the instruction has none
 * @param place the address and the number of bytes; nothing for a fence
 * @param values the loaded or stored values, part by part
 */
record Event(
    int thread, int line, Kind kind, String order, String scope, Place place, List<Long> values) {
  enum Kind {
    LOAD,
    STORE,
    /** An addition without a result. */
    ADD,
    FETCH_ADD,
    SWAP,
    EXCHANGE,
    FENCE,
    /** A barrier of the thread's warp. */
    WARP
  }

  /** A number of bytes, in a number of parts of one instruction. */
  record Place(long address, int bytes, int parts) {
    static final Place NONE = new Place(0, 0, 0);
  }

  Event {
    values = List.copyOf(values);
  }

  /** Whether it is of that kind, order and scope. */
  boolean is(Kind what, String how, String reach) {
    return kind == what && order.equals(how) && scope.equals(reach);
  }

  boolean weak() {
    return order.equals("weak");
  }

  boolean at(long address, int bytes) {
    return place.address() == address && place.bytes() == bytes;
  }
}
