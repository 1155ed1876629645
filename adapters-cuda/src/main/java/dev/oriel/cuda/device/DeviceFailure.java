package dev.oriel.cuda.device;

import java.nio.LongBuffer;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The first operation of a rank's kernels that did not succeed.
 *
 * @param id of the signal, barrier or counter; of a put or get its offset
 * @param peer the other rank; this rank for a sum over all, -1 for a barrier of all
 * @param wanted the value that the operation waited for, the largest count, or the bytes
 * @param seen the last value that it saw; of a put or get the bytes of the peer's part
 */
public record DeviceFailure(
    Result result, Operation operation, long id, int peer, long wanted, long seen) {

  /** How it ended, in the order of {@code oriel::Result}. */
  public enum Result {
    OK,
    ABORTED,
    TIMED_OUT,
    OUT_OF_RANGE;

    static Result of(long number) {
      return List.of(values()).get(Math.toIntExact(number));
    }
  }

  /** What it was, in the order of {@code oriel::Operation}. */
  public enum Operation {
    NONE,
    PUT,
    GET,
    SIGNAL,
    WAIT_FROM,
    WAIT_SUM,
    BARRIER,
    COUNTER
  }

  /** Reads the words of {@code oriel::Failure}. */
  static Optional<DeviceFailure> of(LongBuffer words) {
    if (words.get(0) == 0) {
      return Optional.empty();
    }
    return Optional.of(
        new DeviceFailure(
            Result.of(words.get(0)),
            List.of(Operation.values()).get(Math.toIntExact(words.get(1))),
            words.get(2),
            Math.toIntExact(words.get(3)),
            words.get(4),
            words.get(5)));
  }

  /** What happened, in words. */
  public String message() {
    String what = operation.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    String how = result.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    return switch (operation) {
      case PUT, GET ->
          "%s %s: peer=%d, offset=%d, bytes=%d, part=%d; stay inside the part of a mapped peer"
              .formatted(what, how, peer, id, wanted, seen);
      default ->
          result == Result.OUT_OF_RANGE
              ? "%s %s: peer=%d, id=%d, count=%d; name another rank, and an id below the count"
                  .formatted(what, how, peer, id, wanted)
              : "%s %s: peer=%d, id=%d, wanted=%s, seen=%s"
                  .formatted(
                      what,
                      how,
                      peer,
                      id,
                      Long.toUnsignedString(wanted),
                      Long.toUnsignedString(seen));
    };
  }
}
