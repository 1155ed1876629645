package dev.oriel.sim.ranks;

import dev.oriel.sim.machine.Guide;
import java.util.Arrays;
import java.util.Locale;

/**
 * One thing that a window asks of its lane.
 *
 * @param written what a write writes; empty for others
 * @param nanos how long it waits at most; {@link Guide#NEVER} for what does not give up
 * @param group the communicator that an abort of ends it; {@link #ANYWAY} if none does
 * @param text what reports call it; empty where nobody will read it
 */
@SuppressWarnings(
    "ArrayRecordComponent") // copied when it is made, and shared with nobody who writes
record Request(
    Operation operation,
    int peer,
    long there,
    long here,
    long bytes,
    int id,
    long value,
    byte[] written,
    long nanos,
    int group,
    String text,
    Named named) {
  /** By which keys an interface is to find the memory here and there; 0 for none. */
  record Named(long local, long remote) {
    static final Named NOT = new Named(0, 0);
  }

  static final int ANYWAY = -1;
  private static final byte[] NOTHING = {};

  /** A transfer that does not wait. */
  static Request transfer(Operation operation, int peer, long there, long here, long bytes) {
    return new Request(
        operation, peer, there, here, bytes, 0, 0, NOTHING, Guide.NEVER, ANYWAY, "", Named.NOT);
  }

  /** A write of bytes that lie at hand. */
  static Request write(long here, byte[] bytes) {
    return new Request(
        Operation.WRITE,
        0,
        0,
        here,
        bytes.length,
        0,
        0,
        bytes.clone(),
        Guide.NEVER,
        ANYWAY,
        "",
        Named.NOT);
  }

  /** A change or a look at a slot. */
  static Request slot(Operation operation, int peer, int id, long value) {
    return waiting(operation, peer, id, value, Guide.NEVER);
  }

  /** What waits for so long at most. */
  static Request waiting(Operation operation, int peer, int id, long value, long nanos) {
    return new Request(operation, peer, 0, 0, 0, id, value, NOTHING, nanos, ANYWAY, "", Named.NOT);
  }

  /** Bytes of packets; without nanoseconds to wait, those that have come by now or none. */
  static Request taking(long packets, long into, long bytes, long flag, int rank, long nanos) {
    return new Request(
        Operation.TAKE_PACKETS,
        rank,
        packets,
        into,
        bytes,
        0,
        flag,
        NOTHING,
        nanos,
        ANYWAY,
        "",
        Named.NOT);
  }

  /** Whether it is done now or not at all. */
  boolean tries() {
    return operation == Operation.TAKE_PACKETS && nanos == 0;
  }

  /** Whether it tells what is there without waiting for it. */
  boolean looks() {
    return operation.looks() || tries();
  }

  /** What is asked of the group of the ranks. */
  static Request meeting(Operation operation, long round, byte[] handed, long nanos) {
    return new Request(operation, 0, 0, 0, 0, 0, round, handed, nanos, ANYWAY, "", Named.NOT);
  }

  /** The same, changing or awaiting a slot behind the transfer. */
  Request with(int slot, long change) {
    return new Request(
        operation, peer, there, here, bytes, slot, change, written, nanos, group, text, named);
  }

  /** The same in the arena: places and ids count from those of a window. */
  Request moved(long thereBase, long hereBase, int firstId) {
    return new Request(
        operation,
        peer,
        there + thereBase,
        here + hereBase,
        bytes,
        id + firstId,
        value,
        written,
        nanos,
        group,
        text,
        named);
  }

  /** The same in that communicator. */
  Request in(int communicator) {
    return new Request(
        operation, peer, there, here, bytes, id, value, written, nanos, communicator, text, named);
  }

  /** The same, called so in reports. */
  Request at(String called) {
    return new Request(
        operation, peer, there, here, bytes, id, value, written, nanos, group, called, named);
  }

  /** The same through interfaces that are to look at those keys. */
  Request named(long local, long remote) {
    return new Request(
        operation,
        peer,
        there,
        here,
        bytes,
        id,
        value,
        written,
        nanos,
        group,
        text,
        new Named(local, remote));
  }

  /** The words that the lane counts in. */
  long[] words() {
    return new long[] {operation.number(), peer, there, here, bytes, id, value, 0, 0};
  }

  /** Whether both look at the same slot, or the same packets. */
  boolean looksLike(Request other) {
    return looks()
        && other.looks()
        && other.operation == operation
        && peer == other.peer
        && there == other.there
        && id == other.id;
  }

  /** The call of the port, as reports write it. */
  String told() {
    return text.isEmpty() ? call() : text;
  }

  private String call() {
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
      case SIGNAL, SIGNAL_BEHIND_PUTS ->
          "signal(%d, %d, sum %s)".formatted(peer, id, Long.toUnsignedString(value));
      case LOOK -> "signalValue(%d, %d)".formatted(peer, id);
      case LOOK_COUNT -> "counterValue(%d, %d)".formatted(peer, there);
      case DRAIN -> "close()";
      case REGISTER -> value == 0 ? "deregister" : "register(%d, %d)".formatted(here, bytes);
      case TELL, TOLD -> "lanes";
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
    String wanted = Long.toUnsignedString(value);
    return switch (operation.name().substring(0, end)) {
      case "SUM" -> "awaitSum(%d, %s, %s)".formatted(id, comparison, wanted);
      case "COUNT" -> "awaitCounter(%d, %d, %s, %s)".formatted(peer, there, comparison, wanted);
      default -> "await(%d, %d, %s, %s)".formatted(peer, id, comparison, wanted);
    };
  }

  /** Tells it from other requests, wherever they were made. */
  long hash() {
    long hash = 31L * Arrays.hashCode(words()) + Arrays.hashCode(written);
    hash = 31 * (31 * hash + nanos) + group;
    return named.equals(Named.NOT) ? hash : 31 * hash + named.hashCode();
  }
}
