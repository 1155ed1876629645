package dev.oriel.sim.ranks;

import dev.oriel.ports.BootstrapException.Kind;
import dev.oriel.sim.machine.fingerprint.Fingerprint;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.IntPredicate;

/**
 * The contributions of an execution's ranks to each collective round, and the failure of their
 * group. The first failure is final and holds for every rank, except in a round to which all ranks
 * had come.
 */
final class CollectiveRounds {

  /** The failure of a group, and for each rank that it names the detail known of it. */
  record Failure(Kind kind, String message, Map<Integer, String> details) {}

  private final int world;
  private final List<TreeMap<Integer, byte[]>> rounds = new ArrayList<>();
  private Optional<Failure> failure = Optional.empty();

  CollectiveRounds(int world) {
    this.world = world;
  }

  void restart() {
    rounds.clear();
    failure = Optional.empty();
  }

  /** A contribution with the label of its call. */
  static byte[] handed(String label, byte[] mine) {
    byte[] text = label.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(Integer.BYTES + text.length + mine.length)
        .putInt(text.length)
        .put(text)
        .put(mine)
        .array();
  }

  /** The contributions of all ranks, as {@link #all} wrote them. */
  static List<byte[]> contributions(byte[] all) {
    List<byte[]> contributions = new ArrayList<>();
    ByteBuffer buffer = ByteBuffer.wrap(all);
    while (buffer.hasRemaining()) {
      byte[] one = new byte[buffer.getInt()];
      buffer.get(one);
      contributions.add(one);
    }
    return contributions;
  }

  private static String label(byte[] handed) {
    return new String(
        handed, Integer.BYTES, ByteBuffer.wrap(handed).getInt(), StandardCharsets.UTF_8);
  }

  /**
   * Records the rank's arrival. True if the rank may announce it to the others: the group has not
   * failed.
   */
  boolean arrive(int rank, long round, byte[] handed) {
    while (rounds.size() < round) {
      rounds.add(new TreeMap<>());
    }
    TreeMap<Integer, byte[]> here = rounds.get((int) round - 1);
    if (failure.isEmpty() && !here.isEmpty()) {
      Map.Entry<Integer, byte[]> other = here.entrySet().iterator().next();
      String theirs = label(other.getValue());
      String mine = label(handed);
      if (!theirs.equals(mine)) {
        fail(
            Kind.STEP_MISMATCH,
            "ranks are in different collectives: rank=%d, step=%s, otherRank=%d, otherStep=%s; call the same steps in the same order on every rank"
                .formatted(rank, mine, other.getKey(), theirs),
            new TreeMap<>(Map.of(rank, mine, other.getKey(), theirs)));
      }
    }
    if (failure.isEmpty()) {
      here.put(rank, handed);
    }
    return failure.isEmpty();
  }

  /** The rank has left the group. */
  void leave(int rank) {
    if (failure.isEmpty()) {
      fail(
          Kind.PEER_LOST,
          "a rank is gone: rank=%d, reason=closed its end; find the first error of that rank, then start the job again"
              .formatted(rank),
          new TreeMap<>(Map.of(rank, "closed its end")));
    }
  }

  /**
   * A rank's wait in that round has timed out. The failure names the ranks that are gone; if none
   * is, it names those that did not come.
   */
  void late(long round, IntPredicate gone) {
    TreeMap<Integer, byte[]> here = rounds.get((int) round - 1);
    String label = label(here.values().iterator().next());
    TreeMap<Integer, String> missing = new TreeMap<>();
    TreeMap<Integer, String> lost = new TreeMap<>();
    for (int rank = 0; rank < world; rank++) {
      if (gone.test(rank)) {
        lost.put(rank, "went on no more");
      } else if (!here.containsKey(rank)) {
        missing.put(rank, "did not come to " + label);
      }
    }
    if (failure.isPresent()) {
      return;
    }
    if (!lost.isEmpty()) {
      fail(
          Kind.PEER_LOST,
          "a rank is gone: rank=%d, reason=went on no more, step=%s; find the first error of that rank, then start the job again"
              .formatted(lost.firstKey(), label),
          lost);
    } else if (!missing.isEmpty()) {
      fail(
          Kind.TIMEOUT,
          "ranks did not come to a collective before its deadline: missing=%s, step=%s, world=%d; look at what those ranks do instead, or allow more time"
              .formatted(missing.keySet(), label, world),
          missing);
    }
  }

  private void fail(Kind kind, String message, Map<Integer, String> details) {
    failure = Optional.of(new Failure(kind, message, details));
  }

  boolean complete(long round) {
    return rounds.get((int) round - 1).size() == world;
  }

  Optional<Failure> failure() {
    return failure;
  }

  /** The contributions of all ranks to a complete round. */
  byte[] all(long round) {
    List<byte[]> mine =
        rounds.get((int) round - 1).values().stream()
            .map(handed ->
                Arrays.copyOfRange(
                    handed, Integer.BYTES + ByteBuffer.wrap(handed).getInt(), handed.length))
            .toList();
    ByteBuffer all =
        ByteBuffer.allocate(mine.stream().mapToInt(m -> Integer.BYTES + m.length).sum());
    mine.forEach(m -> all.putInt(m.length).put(m));
    return all.array();
  }

  /** Feeds the state that the histories of the ranks do not determine: which failure was first. */
  void digest(Fingerprint into) {
    into.add(failure.map(f -> f.message().hashCode()).orElse(0));
  }
}
