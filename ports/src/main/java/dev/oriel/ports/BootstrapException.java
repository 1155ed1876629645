package dev.oriel.ports;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A group could not be formed or a collective failed; says why and names the ranks. */
public final class BootstrapException extends RuntimeException {
  /** The kinds of failure. */
  public enum Kind {
    /** The deadline passed; the named ranks are missing. */
    TIMEOUT,
    /** The ranks named died or left. */
    PEER_LOST,
    /** Ranks are in different collectives; the details give each named rank's step. */
    STEP_MISMATCH,
    /** This rank may not join or listen: token, rank, world or address. */
    REFUSED,
    /** Bytes arrived that this protocol does not allow. */
    PROTOCOL,
    /** The contribution of the ranks named exceeds the group's limit; the group stays usable. */
    TOO_LARGE,
    /** This rank's end was closed. */
    CLOSED,
    /** The set-up failed on the ranks named, each with its own text; the group stays usable. */
    AGREEMENT_FAILED,
    /** The calling thread was interrupted; its interrupt status is set again. */
    INTERRUPTED,
    /** The operating system refused a resource: an address, a port, a descriptor. */
    UNAVAILABLE;

    /** Whether all ranks are still in step after this, so that the group may continue. */
    public boolean leavesGroupUsable() {
      return this == TOO_LARGE || this == AGREEMENT_FAILED;
    }
  }

  private final Kind kind;
  private final NavigableMap<Integer, String> details;

  /** A failure whose {@code details} say something about each rank that it names. */
  public BootstrapException(
      Kind kind, String message, Map<Integer, String> details, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = kind;
    this.details = Collections.unmodifiableNavigableMap(new TreeMap<>(details));
  }

  /** A failure that names no rank. */
  public BootstrapException(Kind kind, String message, @Nullable Throwable cause) {
    this(kind, message, Map.of(), cause);
  }

  /** The kind of this failure. */
  public Kind kind() {
    return kind;
  }

  /** The ranks that this failure names, ascending. */
  public List<Integer> ranks() {
    return List.copyOf(details.keySet());
  }

  /** For each rank that this failure names: its cause, reason, step or size. */
  public NavigableMap<Integer, String> details() {
    return details;
  }
}
