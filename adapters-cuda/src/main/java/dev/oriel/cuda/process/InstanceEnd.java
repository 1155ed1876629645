package dev.oriel.cuda.process;

import dev.oriel.ports.Outcome;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;

/**
 * Why no rank may continue with an instance.
 *
 * @param rank the lost rank, or the rank that ended the instance
 * @param cause the reason that the others report
 */
public record InstanceEnd(int rank, Kind kind, String cause) implements Comparable<InstanceEnd> {
  private static final Comparator<InstanceEnd> ORDER =
      Comparator.comparingInt(InstanceEnd::rank)
          .thenComparing(InstanceEnd::kind)
          .thenComparing(InstanceEnd::cause);

  /** How the rank ended the instance. */
  public enum Kind {
    /** Its process ended, or it closed its executor while others still ran. */
    LOST(1),
    /** It was asked to end. */
    ABORTED(2),
    /** One of its lanes gave up waiting. */
    TIMED_OUT(3);

    private final int code;

    Kind(int code) {
      this.code = code;
    }

    /** The code of this kind in a message. */
    byte code() {
      return (byte) code;
    }

    static Optional<Kind> of(byte code) {
      return Arrays.stream(values()).filter(kind -> kind.code == code).findFirst();
    }
  }

  /** The end by a rank that will not answer any more. */
  public static InstanceEnd lost(int rank) {
    return new InstanceEnd(
        rank,
        Kind.LOST,
        "rank is lost: rank=%d; its process ended or left the world, form a new one"
            .formatted(rank));
  }

  /**
   * The outcome of a rank's launch that this ends.
   *
   * @param wait describes the wait that the rank gave up, as the end of a sentence; or is empty
   */
  public Outcome outcome(int ended, String wait) {
    return kind == Kind.TIMED_OUT
        ? new Outcome.TimedOut(
            "rank=%d: a lane gave up waiting%s; first of all a lane of rank=%d"
                .formatted(ended, wait, rank))
        : new Outcome.Aborted(cause);
  }

  /** The outcome of every later launch. */
  public Outcome later() {
    return new Outcome.Aborted(
        kind == Kind.TIMED_OUT ? "an earlier launch timed out: " + cause : cause);
  }

  @Override
  public int compareTo(InstanceEnd other) {
    return ORDER.compare(this, other);
  }
}
