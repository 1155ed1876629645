package dev.oriel.sim.ranks;

import dev.oriel.sim.machine.Guide;
import java.util.Arrays;

/**
 * One thing that a window asks of its lane.
 *
 * @param written what a write writes; empty for others
 * @param nanos how long it waits at most; {@link Guide#NEVER} for what does not give up
 * @param site where the rank code called; empty where nobody will read it
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
    String site) {
  private static final byte[] NOTHING = {};

  /** A transfer that does not wait. */
  static Request transfer(Operation operation, int peer, long there, long here, long bytes) {
    return new Request(operation, peer, there, here, bytes, 0, 0, NOTHING, Guide.NEVER, "");
  }

  /** A write of bytes that lie at hand. */
  static Request write(long here, byte[] bytes) {
    return new Request(
        Operation.WRITE, 0, 0, here, bytes.length, 0, 0, bytes.clone(), Guide.NEVER, "");
  }

  /** A change or a look at a slot. */
  static Request slot(Operation operation, int peer, int id, long value) {
    return waiting(operation, peer, id, value, Guide.NEVER);
  }

  /** What waits for so long at most. */
  static Request waiting(Operation operation, int peer, int id, long value, long nanos) {
    return new Request(operation, peer, 0, 0, 0, id, value, NOTHING, nanos, "");
  }

  Request at(String called) {
    return new Request(operation, peer, there, here, bytes, id, value, written, nanos, called);
  }

  /** The words that the lane counts in. */
  long[] words() {
    return new long[] {operation.number(), peer, there, here, bytes, id, value, 0, 0};
  }

  /** Whether both look at the same slot. */
  boolean looksLike(Request other) {
    return operation == Operation.LOOK
        && other.operation == Operation.LOOK
        && peer == other.peer
        && id == other.id;
  }

  /** The call of the port, as reports write it. */
  String told() {
    String call =
        switch (operation) {
          case PUT -> "put(%d, %d, %d, %d)".formatted(peer, there, here, bytes);
          case GET -> "get(%d, %d, %d, %d)".formatted(peer, there, here, bytes);
          case WRITE -> "write(%d, %d bytes)".formatted(here, bytes);
          case READ -> "read(%d, %d)".formatted(here, bytes);
          case SIGNAL, SIGNAL_BEHIND_PUTS ->
              "signal(%d, %d, sum %s)".formatted(peer, id, Long.toUnsignedString(value));
          case LOOK -> "signalValue(%d, %d)".formatted(peer, id);
          case FLUSH, FLUSH_GETS -> "flush(%d)".formatted(peer);
          case QUIET -> "barrier(%d) round %d".formatted(id, value);
          case ARRIVE, MEET, LOOK_MEET ->
              "barrier(%d) round %d, rank %d".formatted(id, value, peer);
          default ->
              "await(%d, %d, %s, %s)"
                  .formatted(
                      peer,
                      id,
                      operation.name().substring("AWAIT_".length()),
                      Long.toUnsignedString(value));
        };
    return site.isEmpty() ? call : call + " at " + site;
  }

  /** Tells it from other requests, wherever they were made. */
  long hash() {
    long hash = 31L * Arrays.hashCode(words()) + Arrays.hashCode(written);
    return 31 * hash + nanos;
  }
}
