package dev.oriel.it.readback;

import java.util.List;

/**
 * What one thread did that somebody else may see, or that orders what it did.
 *
 * @param line where it stands in the text
 * @param order {@code weak} where the instruction says none
 * @param scope empty where it says none
 * @param place how many bytes at which address; nothing for a fence
 * @param values what was loaded, or stored, part for part
 */
record Event(
    int thread, int line, Kind kind, String order, String scope, Place place, List<Long> values) {
  enum Kind {
    LOAD,
    STORE,
    /** An addition that brings nothing back. */
    ADD,
    FETCH_ADD,
    SWAP,
    EXCHANGE,
    FENCE,
    /** A barrier of the thread's warp. */
    WARP
  }

  /** So many bytes, in so many parts of one instruction. */
  record Place(long address, int bytes, int parts) {
    static final Place NONE = new Place(0, 0, 0);
  }

  Event {
    values = List.copyOf(values);
  }

  /** Whether it does that, in that order, in that scope. */
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
