package dev.oriel.it.check;

import dev.oriel.sim.replay.CampaignResults;
import dev.oriel.sim.replay.CampaignText;
import dev.oriel.sim.replay.ChecksummedReport;
import dev.oriel.sim.replay.JsonValue;
import dev.oriel.sim.replay.JsonValue.Elements;
import dev.oriel.sim.replay.JsonValue.Members;
import dev.oriel.sim.replay.JsonValue.Text;
import dev.oriel.sim.replay.JsonValue.Whole;
import dev.oriel.sim.replay.StrategyTally;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The merged result of a campaign's parts, for machines; {@code it/docs/reference/check.md} names
 * its members.
 */
final class MergedJson {
  private MergedJson() {}

  static JsonValue of(
      CampaignResults campaign, Optional<String> undecided, @Nullable JsonValue outputs) {
    Map<String, JsonValue> all = new TreeMap<>();
    all.put("campaign", new Text(campaign.id()));
    all.put("parts", new Whole(campaign.parts().size()));
    all.put(
        "missing",
        new Elements(
            campaign.missing().stream().<JsonValue>map(s -> new Text(s.toString())).toList()));
    all.put(
        "strategies",
        new Elements(
            campaign.totals().entrySet().stream()
                .map(e -> strategy(e.getKey(), e.getValue()))
                .toList()));
    String verdict = undecided.isEmpty() ? "holds" : "undecided";
    all.put("verdict", new Text(campaign.first().isPresent() ? "violation" : verdict));
    if (outputs != null) {
      all.put(PartReport.OUTPUTS, outputs);
    }
    all.put(PartReport.REPORT, CampaignText.json(campaign));
    return ChecksummedReport.of(all);
  }

  private static JsonValue strategy(String name, StrategyTally tally) {
    return new Members(
        Map.of(
            "strategy", new Text(name),
            "executions", new Whole(tally.executions()),
            "states", new Whole(tally.states()),
            "bounds",
                new Elements(
                    tally.coverage().keySet().stream()
                        .filter(point -> point.startsWith(MergeCommand.BOUND))
                        .<JsonValue>map(
                            point -> new Text(point.substring(MergeCommand.BOUND.length())))
                        .toList()),
            "found", new Elements(tally.first().map(MergedJson::found).stream().toList())));
  }

  private static JsonValue found(StrategyTally.First first) {
    return new Members(
        Map.of(
            "kind", new Text(first.kind()),
            "execution", new Whole(first.execution()),
            "token", new Text(first.token())));
  }
}
