package dev.oriel.sim.replay;

import dev.oriel.sim.replay.JsonValue.Elements;
import dev.oriel.sim.replay.JsonValue.Members;
import dev.oriel.sim.replay.JsonValue.Text;
import dev.oriel.sim.replay.JsonValue.Whole;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Campaigns as JSON. Equal campaigns have equal texts. Every member is required, and no other is
 * accepted.
 */
public final class CampaignText {
  private CampaignText() {}

  /** The campaign as JSON, for a larger document. */
  public static JsonValue json(CampaignResults campaign) {
    Map<String, JsonValue> parts = new TreeMap<>();
    campaign
        .parts()
        .forEach((shard, tallies) -> {
          Map<String, JsonValue> strategies = new TreeMap<>();
          tallies.forEach((strategy, tally) -> strategies.put(strategy, json(tally)));
          parts.put(shard.toString(), new Members(strategies));
        });
    return new Members(Map.of("campaign", new Text(campaign.id()), "parts", new Members(parts)));
  }

  /**
   * Reads a campaign that {@link #json} wrote.
   *
   * @throws ReplayException naming the malformed member
   */
  public static CampaignResults of(JsonValue json) {
    Map<String, JsonValue> top = members("report", json, "campaign", "parts");
    SortedMap<CampaignShard, SortedMap<String, StrategyTally>> parts = new TreeMap<>();
    members("parts", get(top, "parts"))
        .forEach((shard, strategies) -> {
          SortedMap<String, StrategyTally> tallies = new TreeMap<>();
          members(shard, strategies).forEach((s, tally) -> tallies.put(s, tally(s, tally)));
          if (parts.put(CampaignShard.parse(shard), tallies) != null) {
            throw new ReplayException(
                "part twice: shard=%s; give each one result"
                    .formatted(ReplayException.shown(shard)));
          }
        });
    return new CampaignResults(string("campaign", get(top, "campaign")), parts);
  }

  private static JsonValue json(StrategyTally tally) {
    Map<String, JsonValue> coverage = new TreeMap<>();
    tally.coverage().forEach((point, count) -> coverage.put(point, new Whole(count)));
    Elements first = new Elements(tally.first().map(CampaignText::json).stream().toList());
    return new Members(
        Map.of(
            "executions", new Whole(tally.executions()),
            "states", new Whole(tally.states()),
            "coverage", new Members(coverage),
            "first", first));
  }

  private static JsonValue json(StrategyTally.First first) {
    return new Members(
        Map.of(
            "execution", new Whole(first.execution()),
            "kind", new Text(first.kind()),
            "token", new Text(first.token())));
  }

  private static StrategyTally tally(String what, JsonValue json) {
    Map<String, JsonValue> m = members(what, json, "executions", "states", "coverage", "first");
    SortedMap<String, Long> coverage = new TreeMap<>();
    members("coverage", get(m, "coverage"))
        .forEach((point, count) -> coverage.put(point, whole(point, count)));
    return new StrategyTally(
        whole("executions", get(m, "executions")),
        whole("states", get(m, "states")),
        coverage,
        first(get(m, "first")));
  }

  private static Optional<StrategyTally.First> first(JsonValue json) {
    if (!(json instanceof Elements(var elements)) || elements.size() > 1) {
      throw unfit("first", "an array of at most one object");
    }
    return elements.stream()
        .findFirst()
        .map(one -> {
          Map<String, JsonValue> m = members("first", one, "execution", "kind", "token");
          return new StrategyTally.First(
              whole("execution", get(m, "execution")),
              string("kind", get(m, "kind")),
              string("token", get(m, "token")));
        });
  }

  /** The members of an object; if names are given, it must have exactly these. */
  private static Map<String, JsonValue> members(String what, JsonValue json, String... names) {
    if (!(json instanceof Members(var members))) {
      throw unfit(what, "an object");
    }
    if (names.length > 0) {
      for (String name : names) {
        get(members, name);
      }
      for (String name : members.keySet()) {
        if (!List.of(names).contains(name)) {
          throw unfit(
              what,
              "an object of "
                  + String.join(", ", names)
                  + " only, not "
                  + ReplayException.shown(name));
        }
      }
    }
    return members;
  }

  private static JsonValue get(Map<String, JsonValue> members, String name) {
    JsonValue value = members.get(name);
    if (value == null) {
      throw new ReplayException(
          "missing member: name=%s; give a report that Oriel wrote".formatted(name));
    }
    return value;
  }

  private static long whole(String what, JsonValue json) {
    if (json instanceof Whole(long value)) {
      return value;
    }
    throw unfit(what, "a whole number");
  }

  private static String string(String what, JsonValue json) {
    if (json instanceof Text(String text)) {
      return text;
    }
    throw unfit(what, "a string");
  }

  private static ReplayException unfit(String what, String expected) {
    return new ReplayException(
        "unfit member: name=%s; expected %s".formatted(ReplayException.shown(what), expected));
  }
}
