package dev.oriel.ports.setup;

import dev.oriel.domain.window.Comparison;
import dev.oriel.domain.window.Team;
import dev.oriel.ports.LocalBuffer;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.WindowPackets;
import java.util.List;
import java.util.Map;

/**
 * The messages of refused calls and failed waits of windows and lanes. They are the same on every
 * machine, so code meets the same refusals everywhere.
 */
public final class WindowErrors {
  private WindowErrors() {}

  /** A signal is missing. */
  public static String noSignal(
      String window, int rank, int source, int id, long seen, Comparison comparison, long value) {
    return "signal missing: window=%s, rank=%d, source=%d, id=%d, value=%s, expected=%s %s; see why the source has not signalled"
        .formatted(window, rank, source, id, word(seen), comparison, word(value));
  }

  /** A sum of signals was not reached. */
  public static String noSum(
      String window, int rank, int id, Map<Integer, Long> seen, Comparison comparison, long value) {
    return "sum missing: window=%s, rank=%d, id=%d, values=%s, expected=%s %s; see which rank has not signalled"
        .formatted(window, rank, id, seen, comparison, word(value));
  }

  /** A count of transfers was not reached. */
  public static String noCount(
      String window, int rank, int peer, int id, long seen, Comparison comparison, long value) {
    return "count missing: window=%s, rank=%d, peer=%d, id=%d, value=%s, expected=%s %s; put and count more, or expect less"
        .formatted(window, rank, peer, id, word(seen), comparison, word(value));
  }

  /** Packets are missing. */
  public static String noPackets(String window, int rank, WindowPackets packets, long length) {
    return "packets missing: window=%s, rank=%d, offset=%d, bytes=%d, flag=%s; see why the source has not put them"
        .formatted(window, rank, packets.offset(), packets.image(length), word(packets.flag()));
  }

  /** A barrier is incomplete. */
  public static String notAll(String window, int rank, int id, long round, List<Integer> missing) {
    return "barrier not complete: window=%s, rank=%d, id=%d, round=%d, missing=%s; find out why these ranks have not arrived"
        .formatted(window, rank, id, round, missing);
  }

  /** Another team uses the barrier. */
  public static IllegalArgumentException otherTeam(String window, int id, Team team, Team known) {
    return new IllegalArgumentException(
        "barrier of another team: window=%s, barrier=%d, team=%s, used with=%s; use one id for each team"
            .formatted(window, id, team, known));
  }

  /** A rank has no slot at itself. */
  public static IllegalArgumentException ownRow(String window, int rank) {
    return new IllegalArgumentException(
        "no row at oneself: window=%s, rank=%d; name another rank".formatted(window, rank));
  }

  /** The buffer is another rank's, or of another machine. */
  public static IllegalArgumentException otherBuffer(LocalBuffer buffer) {
    return new IllegalArgumentException(
        "buffer of another rank: class=%s; pass a window or buffer of this rank"
            .formatted(buffer.getClass().getSimpleName()));
  }

  /** Only the rank's own lane may make the call. */
  public static MachineException inLane(int rank, int lane) {
    return new MachineException(
        "call in a lane: rank=%d, lane=%d; share and close where the lanes have come together"
            .formatted(rank, lane));
  }

  /** A lane tried to start lanes. */
  public static MachineException lanesWithin(int rank) {
    return new MachineException(
        "lanes within a lane: rank=%d; let these come to their end first".formatted(rank));
  }

  /** The window was used after its close. */
  public static MachineException closed(String window, long generation) {
    return new MachineException(
        "window is closed: window=%s, generation=%d; create another and use its addresses"
            .formatted(window, generation));
  }

  private static String word(long value) {
    return Long.toUnsignedString(value);
  }
}
