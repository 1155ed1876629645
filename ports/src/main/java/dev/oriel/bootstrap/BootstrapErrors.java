package dev.oriel.bootstrap;

import dev.oriel.ports.BootstrapException;
import dev.oriel.ports.BootstrapException.Kind;
import java.io.IOException;
import java.util.Collection;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The wording of every failure: the problem, key=value pairs, and the remedy. */
final class BootstrapErrors {
  /** The reason given for a rank whose connection ended in any way. */
  static final String ENDED = "its connection ended";

  private BootstrapErrors() {}

  static BootstrapException missing(Collection<Integer> missing, String label, int world) {
    return new BootstrapException(
        Kind.TIMEOUT,
        ("ranks did not come to a collective before its deadline: missing=%s, step=%s, world=%d; "
                + "look at what those ranks do instead, or allow more time")
            .formatted(BoundedText.ranks(missing), label, world),
        each(missing, "did not come to " + label),
        null);
  }

  static BootstrapException noVerdict(int rank, String label) {
    return new BootstrapException(
        Kind.TIMEOUT,
        ("rank 0 gave no outcome before the deadline: missing=[0], step=%s, rank=%d; "
                + "look at what rank 0 does instead, or allow more time")
            .formatted(label, rank),
        Map.of(0, "gave no outcome of " + label),
        null);
  }

  static BootstrapException lost(int rank, String reason, String label) {
    return lost(rank, reason, label, null);
  }

  /**
   * A rank whose connection ended. Survivors may see it closed or reset, so the message leaves that
   * out: all of them give the same reason.
   */
  static BootstrapException ended(int rank, IOException how, String label) {
    return lost(rank, ENDED, label, how);
  }

  private static BootstrapException lost(
      int rank, String reason, String label, @Nullable IOException how) {
    return new BootstrapException(
        Kind.PEER_LOST,
        ("a rank is gone: rank=%d, reason=%s, step=%s; "
                + "find the first error of that rank, then start the job again")
            .formatted(rank, reason, label),
        Map.of(rank, reason),
        how);
  }

  static BootstrapException mismatch(int rank, String label, int other, String otherLabel) {
    return new BootstrapException(
        Kind.STEP_MISMATCH,
        ("ranks are in different collectives: rank=%d, step=%s, otherRank=%d, otherStep=%s; "
                + "call the same steps in the same order on every rank")
            .formatted(rank, label, other, otherLabel),
        Map.of(rank, label, other, otherLabel),
        null);
  }

  static BootstrapException protocol(int rank, String what, String label) {
    return new BootstrapException(
        Kind.PROTOCOL,
        "a rank sent bytes that are not allowed: rank=%d, reason=%s, step=%s; run one version on every rank"
            .formatted(rank, what, label),
        Map.of(rank, what),
        null);
  }

  static BootstrapException tooLarge(NavigableMap<Integer, Long> sizes, int limit, String label) {
    TreeMap<Integer, String> details = new TreeMap<>();
    sizes.forEach((rank, size) -> details.put(rank, size + " bytes"));
    return new BootstrapException(
        Kind.TOO_LARGE,
        "contribution too large: rank=%d, bytes=%d, limit=%d, ranks=%s, step=%s; send less or raise the limits on every rank"
            .formatted(
                sizes.firstKey(),
                sizes.get(sizes.firstKey()),
                limit,
                BoundedText.ranks(sizes.keySet()),
                label),
        details,
        null);
  }

  static BootstrapException disagreed(
      NavigableMap<Integer, String> causes, String label, @Nullable Throwable own) {
    int first = causes.firstKey();
    return new BootstrapException(
        Kind.AGREEMENT_FAILED,
        "set-up failed: rank=%d, cause=%s, failing=%s, step=%s; mend the cause on that rank, undo this part on every rank, then retry together"
            .formatted(first, causes.get(first), BoundedText.ranks(causes.keySet()), label),
        causes,
        own);
  }

  static BootstrapException closed(int rank) {
    return new BootstrapException(
        Kind.CLOSED, "this rank's end is closed: rank=" + rank + "; open a new group", null);
  }

  static BootstrapException interrupted(int rank) {
    return new BootstrapException(
        Kind.INTERRUPTED,
        "the waiting thread was interrupted: rank=" + rank + "; close this end, the group is over",
        null);
  }

  static BootstrapException unavailable(
      String what, Object address, IOException cause, String fix) {
    return new BootstrapException(
        Kind.UNAVAILABLE,
        "%s: address=%s, reason=%s; %s".formatted(what, address, cause.getMessage(), fix),
        cause);
  }

  /** The group's first failure again, for a later call. */
  static BootstrapException again(BootstrapException first) {
    String message = first.getMessage() == null ? "" : first.getMessage();
    return new BootstrapException(first.kind(), message, first.details(), first);
  }

  private static Map<Integer, String> each(Collection<Integer> ranks, String text) {
    TreeMap<Integer, String> details = new TreeMap<>();
    ranks.forEach(rank -> details.put(rank, text));
    return details;
  }
}
