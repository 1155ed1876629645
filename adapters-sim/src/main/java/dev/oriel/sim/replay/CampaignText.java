package dev.oriel.sim.replay;

import dev.oriel.sim.replay.Json.Elements;
import dev.oriel.sim.replay.Json.Members;
import dev.oriel.sim.replay.Json.Text;
import dev.oriel.sim.replay.Json.Whole;
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
  public static Json json(Campaign campaign) {
    Map<String, Json> parts = new TreeMap<>();
    campaign
        .parts()
        .forEach((shard, tallies) -> {
          Map<String, Json> strategies = new TreeMap<>();
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
  public static Campaign of(Json json) {
    Map<String, Json> top = members("report", json, "campaign", "parts");
    SortedMap<Shard, SortedMap<String, Tally>> parts = new TreeMap<>();
    members("parts", get(top, "parts"))
        .forEach((shard, strategies) -> {
          SortedMap<String, Tally> tallies = new TreeMap<>();
          members(shard, strategies).forEach((s, tally) -> tallies.put(s, tally(s, tally)));
          if (parts.put(Shard.parse(shard), tallies) != null) {
            throw new ReplayException(
                "part twice: shard=%s; give each one result"
                    .formatted(ReplayException.shown(shard)));
          }
        });
    return new Campaign(string("campaign", get(top, "campaign")), parts);
  }

  private static Json json(Tally tally) {
    Map<String, Json> coverage = new TreeMap<>();
    tally.coverage().forEach((point, count) -> coverage.put(point, new Whole(count)));
    Elements first = new Elements(tally.first().map(CampaignText::json).stream().toList());
    return new Members(
        Map.of(
            "executions", new Whole(tally.executions()),
            "states", new Whole(tally.states()),
            "coverage", new Members(coverage),
            "first", first));
  }

  private static Json json(Tally.First first) {
    return new Members(
        Map.of(
            "execution", new Whole(first.execution()),
            "kind", new Text(first.kind()),
            "token", new Text(first.token())));
  }

  private static Tally tally(String what, Json json) {
    Map<String, Json> m = members(what, json, "executions", "states", "coverage", "first");
    SortedMap<String, Long> coverage = new TreeMap<>();
    members("coverage", get(m, "coverage"))
        .forEach((point, count) -> coverage.put(point, whole(point, count)));
    return new Tally(
        whole("executions", get(m, "executions")),
        whole("states", get(m, "states")),
        coverage,
        first(get(m, "first")));
  }

  private static Optional<Tally.First> first(Json json) {
    if (!(json instanceof Elements(var elements)) || elements.size() > 1) {
      throw unfit("first", "an array of at most one object");
    }
    return elements.stream()
        .findFirst()
        .map(one -> {
          Map<String, Json> m = members("first", one, "execution", "kind", "token");
          return new Tally.First(
              whole("execution", get(m, "execution")),
              string("kind", get(m, "kind")),
              string("token", get(m, "token")));
        });
  }

  /** The members of an object; if names are given, it must have exactly these. */
  private static Map<String, Json> members(String what, Json json, String... names) {
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

  private static Json get(Map<String, Json> members, String name) {
    Json value = members.get(name);
    if (value == null) {
      throw new ReplayException(
          "missing member: name=%s; give a report that Oriel wrote".formatted(name));
    }
    return value;
  }

  private static long whole(String what, Json json) {
    if (json instanceof Whole(long value)) {
      return value;
    }
    throw unfit(what, "a whole number");
  }

  private static String string(String what, Json json) {
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
