package dev.oriel.sim.ranks;

import dev.oriel.sim.machine.driver.LaneDriver;
import dev.oriel.sim.machine.driver.MemoryKeyFormat;
import java.util.Arrays;
import java.util.Locale;

/**
 * One request of a window to its lane.
 *
 * @param written the bytes of a write; empty for other requests
 * @param nanos the longest wait; {@link LaneDriver#NEVER} for requests that do not give up
 * @param group the communicator whose abort ends it; {@link #ANYWAY} if none does
 * @param text its name in reports; empty where nobody will read it
 */
@SuppressWarnings(
    "ArrayRecordComponent") // copied when it is made, and afterwards no holder writes to it
record LaneRequest(
    LaneOperation operation,
    Operands operands,
    byte[] written,
    long nanos,
    int group,
    String text,
    Named named) {
  /** The operands: a peer's bytes and this rank's, and a slot with a value. */
  record Operands(int peer, long there, long here, long bytes, int id, long value) {
    static Operands bytes(int peer, long there, long here, long bytes) {
      return new Operands(peer, there, here, bytes, 0, 0);
    }

    static Operands slot(int peer, int id, long value) {
      return new Operands(peer, 0, 0, 0, id, value);
    }

    Operands with(int slot, long change) {
      return new Operands(peer, there, here, bytes, slot, change);
    }

    Operands moved(long thereBase, long hereBase, int firstId) {
      return new Operands(peer, there + thereBase, here + hereBase, bytes, id + firstId, value);
    }
  }

  /** The keys by which an interface must find the memory here and there. */
  record Named(long local, long remote) {
    static final Named NOT = new Named(MemoryKeyFormat.NONE, MemoryKeyFormat.NONE);
  }

  static final int ANYWAY = -1;
  private static final byte[] NOTHING = {};

  private LaneRequest(LaneOperation operation, Operands operands, byte[] written, long nanos) {
    this(operation, operands, written, nanos, ANYWAY, "", Named.NOT);
  }

  /** A transfer that does not wait. */
  static LaneRequest transfer(
      LaneOperation operation, int peer, long there, long here, long bytes) {
    Operands operands = Operands.bytes(peer, there, here, bytes);
    return new LaneRequest(operation, operands, NOTHING, LaneDriver.NEVER);
  }

  /** A write of bytes that the caller passes. */
  static LaneRequest write(long here, byte[] bytes) {
    Operands operands = Operands.bytes(0, 0, here, bytes.length);
    return new LaneRequest(LaneOperation.WRITE, operands, bytes.clone(), LaneDriver.NEVER);
  }

  /** A change or a read of a slot. */
  static LaneRequest slot(LaneOperation operation, int peer, int id, long value) {
    return waiting(operation, peer, id, value, LaneDriver.NEVER);
  }

  /** A request that waits for at most that time. */
  static LaneRequest waiting(LaneOperation operation, int peer, int id, long value, long nanos) {
    return new LaneRequest(operation, Operands.slot(peer, id, value), NOTHING, nanos);
  }

  /** Takes the bytes of packets; with 0 nanoseconds, only packets that have already arrived. */
  static LaneRequest taking(long packets, long into, long bytes, long flag, int rank, long nanos) {
    Operands operands = Operands.bytes(rank, packets, into, bytes).with(0, flag);
    return new LaneRequest(LaneOperation.TAKE_PACKETS, operands, NOTHING, nanos);
  }

  /** A request to the group of the ranks. */
  static LaneRequest meeting(LaneOperation operation, long round, byte[] handed, long nanos) {
    return new LaneRequest(operation, Operands.slot(0, 0, round), handed, nanos);
  }

  int peer() {
    return operands.peer;
  }

  long bytes() {
    return operands.bytes;
  }

  long value() {
    return operands.value;
  }

  /** Whether it fails at once unless it can complete now. */
  boolean tries() {
    return operation == LaneOperation.TAKE_PACKETS && nanos == 0;
  }

  /** Whether it returns the current state without waiting. */
  boolean polls() {
    return operation.polls() || tries();
  }

  /** Whether it completes only after a step of another lane. */
  boolean awaits() {
    return operation.awaits() && !tries();
  }

  private LaneRequest on(Operands other) {
    return new LaneRequest(operation, other, written, nanos, group, text, named);
  }

  /** This request, which changes or awaits a slot after the transfer. */
  LaneRequest with(int slot, long change) {
    return on(operands.with(slot, change));
  }

  /** This request with addresses and ids of the arena instead of those of a window. */
  LaneRequest moved(long thereBase, long hereBase, int firstId) {
    return on(operands.moved(thereBase, hereBase, firstId));
  }

  /** This request in that communicator. */
  LaneRequest in(int communicator) {
    return new LaneRequest(operation, operands, written, nanos, communicator, text, named);
  }

  /** The registration as it completes when the interface refuses it. */
  LaneRequest refused() {
    String description = text.isEmpty() ? "" : text + " is refused";
    return new LaneRequest(
        LaneOperation.REFUSE, operands, written, nanos, group, description, named);
  }

  /** This request under that name in reports. */
  LaneRequest at(String called) {
    return new LaneRequest(operation, operands, written, nanos, group, called, named);
  }

  /** This request through interfaces that check those keys. */
  LaneRequest named(long local, long remote) {
    Named keys = new Named(local, remote);
    return new LaneRequest(operation, operands, written, nanos, group, text, keys);
  }

  /** The values of the lane's words for this call. */
  long[] words() {
    Operands o = operands;
    return new long[] {operation.number(), o.peer, o.there, o.here, o.bytes, o.id, o.value, 0, 0};
  }

  /** Whether both poll the same slot, or the same packets. */
  boolean samePoll(LaneRequest other) {
    return polls()
        && other.polls()
        && other.operation == operation
        && operands.peer == other.operands.peer
        && operands.there == other.operands.there
        && operands.id == other.operands.id;
  }

  /** The call of the port, as reports write it. */
  String description() {
    return text.isEmpty() ? call() : text;
  }

  private String call() {
    int peer = operands.peer;
    int id = operands.id;
    long there = operands.there;
    long here = operands.here;
    long bytes = operands.bytes;
    long value = operands.value;
    return switch (operation) {
      case PUT_SIGNAL ->
          "putSignal(%d, %d, %d, %d, %d, %s)"
              .formatted(peer, there, here, bytes, id, Long.toUnsignedString(value));
      case PUT_COUNTED ->
          "putCounted(%d, %d, %d, %d, %d)".formatted(peer, there, here, bytes, value);
      case PUT -> "put(%d, %d, %d, %d)".formatted(peer, there, here, bytes);
      case PUT_PACKETS ->
          "putPackets(%d, %d, %d, %d, flag %s)"
              .formatted(peer, there, here, bytes, Long.toUnsignedString(value));
      case TAKE_PACKETS ->
          "takePackets(%d, %d, %d, flag %s)"
              .formatted(there, here, bytes, Long.toUnsignedString(value));
      case GET -> "get(%d, %d, %d, %d)".formatted(peer, there, here, bytes);
      case WRITE -> "write(%d, %d bytes)".formatted(here, bytes);
      case READ -> "read(%d, %d)".formatted(here, bytes);
      case SIGNAL, SIGNAL_AFTER_PUTS ->
          "signal(%d, %d, sum %s)".formatted(peer, id, Long.toUnsignedString(value));
      case LOOK -> "signalValue(%d, %d)".formatted(peer, id);
      case LOOK_COUNT -> "counterValue(%d, %d)".formatted(peer, there);
      case DRAIN -> "close()";
      case REFUSE -> "register(%d, %d) is refused".formatted(here, bytes);
      case REGISTER -> value == 0 ? "deregister" : "register(%d, %d)".formatted(here, bytes);
      case TURN_SIGNAL, TURN_AWAIT -> "lanes";
      case ARRIVE_ALL, MEET_ALL, LEAVE -> "meeting %d of all ranks".formatted(value);
      case ABORT, LOOK_ABORT -> operation.name().toLowerCase(Locale.ROOT);
      case FLUSH, FLUSH_GETS -> "flush(%d)".formatted(peer);
      case QUIET -> "barrier(%d) round %d".formatted(id, value);
      case ARRIVE, MEET, LOOK_MEET -> "barrier(%d) round %d, rank %d".formatted(id, value, peer);
      default -> comparing();
    };
  }

  private String comparing() {
    int end = operation.name().indexOf('_');
    String comparison = operation.name().substring(end + 1);
    String wanted = Long.toUnsignedString(operands.value);
    int peer = operands.peer;
    int id = operands.id;
    return switch (operation.name().substring(0, end)) {
      case "SUM" -> "awaitSum(%d, %s, %s)".formatted(id, comparison, wanted);
      case "COUNT" ->
          "awaitCounter(%d, %d, %s, %s)".formatted(peer, operands.there, comparison, wanted);
      default -> "await(%d, %d, %s, %s)".formatted(peer, id, comparison, wanted);
    };
  }

  /** Distinguishes it from other requests across executions. */
  long hash() {
    return 31 * hashBesideDeadline() + nanos;
  }

  /** Distinguishes it from other requests, but not from the same request with another deadline. */
  long hashBesideDeadline() {
    long hash = 31L * Arrays.hashCode(words()) + Arrays.hashCode(written);
    hash = 31 * (31 * hash + (tries() ? 1 : 0)) + group;
    return named.equals(Named.NOT) ? hash : 31 * hash + named.hashCode();
  }
}
