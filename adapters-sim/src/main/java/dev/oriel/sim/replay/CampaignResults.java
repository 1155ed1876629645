package dev.oriel.sim.replay;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The results of a campaign: the tallies of each of its parts, by strategy. Parts are kept apart,
 * so merging is associative, commutative and idempotent: a part that is merged twice counts once.
 *
 * @param id names the executions: program, profile, seed and number of executions
 */
public record CampaignResults(
    String id, SortedMap<CampaignShard, SortedMap<String, StrategyTally>> parts) {

  /** The most parts that a message names. */
  private static final int SHOWN = 8;

  /** The first failing execution of a strategy. */
  public record Found(String strategy, StrategyTally.First first) {}

  public CampaignResults {
    SortedMap<CampaignShard, SortedMap<String, StrategyTally>> copy = new TreeMap<>();
    parts.forEach((shard, tallies) ->
        copy.put(shard, Collections.unmodifiableSortedMap(new TreeMap<>(tallies))));
    parts = Collections.unmodifiableSortedMap(copy);
    if (parts.keySet().stream().map(CampaignShard::count).distinct().count() > 1) {
      throw new ReplayException(
          "parts of different splits: shards=%s; merge parts of one split"
              .formatted(parts.keySet()));
    }
  }

  /** The campaign of one part. */
  public static CampaignResults of(
      String id, CampaignShard shard, Map<String, StrategyTally> tallies) {
    return new CampaignResults(id, new TreeMap<>(Map.of(shard, new TreeMap<>(tallies))));
  }

  /**
   * Merges both.
   *
   * @throws ReplayException if they are of different campaigns or splits, or differ on one part:
   *     then something was not deterministic
   */
  public CampaignResults merge(CampaignResults other) {
    if (!id.equals(other.id)) {
      throw new ReplayException(
          "different campaigns: one=%s, other=%s; merge parts of one campaign"
              .formatted(difference(id, other.id), difference(other.id, id)));
    }
    SortedMap<CampaignShard, SortedMap<String, StrategyTally>> all = new TreeMap<>(parts);
    other.parts.forEach((shard, tallies) -> {
      SortedMap<String, StrategyTally> known = all.put(shard, tallies);
      if (known != null && !known.equals(tallies)) {
        throw new ReplayException(
            "two results of one part: shard=%s, campaign=%s; run it again and see which is right"
                .formatted(shard, ReplayException.shown(id)));
      }
    });
    return new CampaignResults(id, all);
  }

  /** The pieces of an id, separated by commas, that another id lacks. */
  public static String difference(String id, String other) {
    List<String> pieces = List.of(other.split(", ", -1));
    return Arrays.stream(id.split(", ", -1))
        .filter(piece -> !pieces.contains(piece))
        .map(ReplayException::shown)
        .collect(Collectors.joining(" "));
  }

  /** The sums over all parts, by strategy. */
  public SortedMap<String, StrategyTally> totals() {
    SortedMap<String, StrategyTally> totals = new TreeMap<>();
    parts
        .values()
        .forEach(part -> part.forEach((s, tally) -> totals.merge(s, tally, StrategyTally::plus)));
    return totals;
  }

  /** The first failure of the first strategy, in the order of their names, that found one. */
  public Optional<Found> first() {
    return totals().entrySet().stream()
        .flatMap(e -> e.getValue().first().map(f -> new Found(e.getKey(), f)).stream())
        .findFirst();
  }

  /** The parts that are missing. */
  public List<CampaignShard> missing() {
    int count = parts.isEmpty() ? 0 : parts.firstKey().count();
    return IntStream.rangeClosed(1, count)
        .mapToObj(i -> new CampaignShard(i, count))
        .filter(shard -> !parts.containsKey(shard))
        .toList();
  }

  /** Why a campaign without findings decides nothing, in words; empty if it decides. */
  public Optional<String> undecided() {
    if (parts.isEmpty()) {
      return Optional.of(
          "no part is there: campaign=%s; nothing was executed"
              .formatted(ReplayException.shown(id)));
    }
    if (!missing().isEmpty()) {
      List<String> some = missing().stream().limit(SHOWN).map(CampaignShard::toString).toList();
      int more = missing().size() - some.size();
      return Optional.of(
          "parts are missing: shards=%s%s; run them and merge again, nothing is decided before"
              .formatted(String.join(", ", some), more > 0 ? " and " + more : ""));
    }
    SortedSet<String> strategies = new TreeSet<>(totals().keySet());
    for (Map.Entry<CampaignShard, SortedMap<String, StrategyTally>> part : parts.entrySet()) {
      SortedSet<String> left = new TreeSet<>(strategies);
      left.removeAll(part.getValue().keySet());
      if (!left.isEmpty()) {
        return Optional.of(
            "a part did not come to its end: shard=%s, strategies that others have=%s; run it again"
                .formatted(part.getKey(), left));
      }
    }
    boolean any = totals().values().stream().anyMatch(t -> t.executions() > 0 || t.states() > 0);
    return any
        ? Optional.empty()
        : Optional.of(
            "no part executed anything: parts=%d; run them again".formatted(parts.size()));
  }
}
