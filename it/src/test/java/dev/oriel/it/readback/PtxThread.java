package dev.oriel.it.readback;

import dev.oriel.it.readback.Event.Kind;
import dev.oriel.it.readback.Event.Place;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One thread of a block, between two barriers at a time. */
final class PtxThread {
  /**
   * Limits of instructions between two barriers, and of polls of one word: beyond them a wait never
   * ends.
   */
  private static final int MAX_STEPS = 4_000_000;

  private static final int MAX_POLLS = 64;

  /** The reason why a thread stops. */
  enum Stop {
    RUNS,
    BARRIER,
    WARP,
    EXIT
  }

  final int number;
  final long[] registers;
  final PtxBlock block;
  private final Map<Long, Integer> polls = new HashMap<>();
  private final List<Event> events = new ArrayList<>();
  private boolean waited;
  Stop stop = Stop.RUNS;
  int at;

  PtxThread(int number, PtxBlock block) {
    this.number = number;
    this.block = block;
    this.registers = new long[block.code().registers()];
  }

  /** Runs until it stops. */
  void run() {
    stop = Stop.RUNS;
    for (int steps = 0; stop == Stop.RUNS; steps++) {
      if (steps > MAX_STEPS) {
        throw new Mismatch(block.where(at) + ": a wait that never ends");
      }
      block.code().reached(at);
      block.code().step(at++).run(this);
    }
  }

  /** Its actions since the last call. */
  List<Event> events() {
    List<Event> all = List.copyOf(events);
    events.clear();
    polls.clear();
    return all;
  }

  void waitForPrevious() {
    waited = true;
  }

  void did(Kind kind, String order, String scope) {
    did(kind, order, scope, Place.NONE, List.of());
  }

  private void did(Kind kind, String order, String scope, Place place, List<Long> values) {
    if (kind != Kind.FENCE && kind != Kind.WARP && block.code().dependent() && !waited) {
      throw new Mismatch(block.where(at - 1) + ": memory is accessed before griddepcontrol.wait");
    }
    events.add(new Event(number, block.code().line(at - 1), kind, order, scope, place, values));
  }

  long load(String order, String scope, long address, int bytes, int part, int parts) {
    long value;
    if (order.equals("weak")) {
      value = block.memory().load(address, bytes);
    } else {
      if (polls.merge(address, 1, Integer::sum) > MAX_POLLS) {
        throw new Mismatch(
            block.where(at - 1)
                + ": looks at what nobody writes here: place="
                + block.describe(address));
      }
      value = block.memory().look(address, bytes);
    }
    joint(Kind.LOAD, order, scope, new Place(address, bytes, parts), part, value);
    return value;
  }

  void store(String order, String scope, long address, int bytes, int part, int parts, long value) {
    long kept = bytes == Long.BYTES ? value : value & ((1L << (Byte.SIZE * bytes)) - 1);
    block.store(address, bytes, kept);
    joint(Kind.STORE, order, scope, new Place(address, bytes, parts), part, kept);
  }

  /** Parts of one instruction are one event. */
  private void joint(Kind kind, String order, String scope, Place place, int part, long value) {
    if (part == 0) {
      did(kind, order, scope, place, List.of(value));
      return;
    }
    Event first = events.removeLast();
    List<Long> values = new ArrayList<>(first.values());
    values.add(value);
    Place grown =
        new Place(
            first.place().address(), first.place().bytes() + place.bytes(), first.place().parts());
    events.add(new Event(number, first.line(), kind, order, scope, grown, values));
  }

  void loadBulk(long place, long from, long bytes, long barrier) {
    byte[] fetched = new byte[(int) bytes];
    for (int i = 0; i < bytes; i++) {
      fetched[i] = (byte) block.memory().load(from + i, 1);
    }
    block.unit().fetch(place, fetched, barrier);
    did(Kind.LOAD, "bulk", "", new Place(from, (int) bytes, 1), List.of());
  }

  void storeBulk(long to, long place, long bytes) {
    byte[] fetched = block.unit().stored(place, bytes);
    for (int i = 0; i < bytes; i++) {
      block.store(to + i, 1, fetched[i]);
    }
    did(Kind.STORE, "bulk", "", new Place(to, (int) bytes, 1), List.of());
  }

  /** One atomic step on a word; returns the old value. */
  long change(Kind kind, String order, String scope, long address, long operand, long compare) {
    long old = block.memory().look(address, Long.BYTES);
    if (polls.merge(address, 1, Integer::sum) > MAX_POLLS) {
      throw new Mismatch(block.where(at - 1) + ": tries what never succeeds here");
    }
    long now =
        switch (kind) {
          case ADD, FETCH_ADD -> old + operand;
          case SWAP -> old == compare ? operand : old;
          default -> operand;
        };
    if (kind != Kind.SWAP || old == compare) {
      block.store(address, Long.BYTES, now);
    }
    Place place = new Place(address, Long.BYTES, 1);
    List<Long> values = kind == Kind.SWAP ? List.of(operand, compare, old) : List.of(operand);
    did(kind, order, scope, place, values);
    return old;
  }
}
