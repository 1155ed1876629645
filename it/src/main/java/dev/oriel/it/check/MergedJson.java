package dev.oriel.it.check;

import dev.oriel.sim.replay.Campaign;
import dev.oriel.sim.replay.CampaignText;
import dev.oriel.sim.replay.Json;
import dev.oriel.sim.replay.Json.Elements;
import dev.oriel.sim.replay.Json.Members;
import dev.oriel.sim.replay.Json.Text;
import dev.oriel.sim.replay.Json.Whole;
import dev.oriel.sim.replay.SealedReport;
import dev.oriel.sim.replay.Tally;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The merged result of a campaign's parts, for machines; {@code CHECKING.md} names its members. */
final class MergedJson {
  private MergedJson() {}

  static Json of(Campaign campaign, @Nullable Json outputs) {
    Map<String, Json> all = new TreeMap<>();
    all.put("campaign", new Text(campaign.id()));
    all.put("parts", new Whole(campaign.parts().size()));
    all.put(
        "missing",
        new Elements(campaign.missing().stream().<Json>map(s -> new Text(s.toString())).toList()));
    all.put(
        "strategies",
        new Elements(
            campaign.totals().entrySet().stream()
                .map(e -> strategy(e.getKey(), e.getValue()))
                .toList()));
    String verdict = campaign.undecided().isEmpty() ? "holds" : "undecided";
    all.put("verdict", new Text(campaign.first().isPresent() ? "violation" : verdict));
    if (outputs != null) {
      all.put(MergeCommand.OUTPUTS, outputs);
    }
    all.put(MergeCommand.REPORT, CampaignText.json(campaign));
    return SealedReport.of(all);
  }

  private static Json strategy(String name, Tally tally) {
    return new Members(
        Map.of(
            "strategy", new Text(name),
            "executions", new Whole(tally.executions()),
            "states", new Whole(tally.states()),
            "bounds",
                new Elements(
                    tally.coverage().keySet().stream()
                        .filter(point -> point.startsWith(MergeCommand.BOUND))
                        .<Json>map(point -> new Text(point.substring(MergeCommand.BOUND.length())))
                        .toList()),
            "found", new Elements(tally.first().map(MergedJson::found).stream().toList())));
  }

  private static Json found(Tally.First first) {
    return new Members(
        Map.of(
            "kind", new Text(first.kind()),
            "execution", new Whole(first.execution()),
            "token", new Text(first.token())));
  }
}
