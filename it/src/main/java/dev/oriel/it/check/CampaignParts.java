package dev.oriel.it.check;

import dev.oriel.sim.replay.CampaignResults;
import dev.oriel.sim.replay.CampaignShard;
import dev.oriel.sim.replay.JsonValue;
import dev.oriel.sim.replay.ReplayException;
import dev.oriel.sim.replay.StrategyTally;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The parts in the folder of a campaign. A part counts only if its file has the part's name, holds
 * that part and no other, and is of this campaign.
 */
final class CampaignParts {
  /** The most parts, and the most other files, that are named. */
  private static final int SHOWN = 8;

  private static final Pattern FILE = Pattern.compile("part-([1-9][0-9]{0,6})\\.json");

  private final Path folder;
  private final CampaignFile campaign;
  private final List<Unfit> unfit = new ArrayList<>();
  private final List<Path> others = new ArrayList<>();
  private final SortedMap<CampaignShard, SortedMap<String, StrategyTally>> tallies =
      new TreeMap<>();
  private Optional<JsonValue> outputs = Optional.empty();

  /** A part without a result that counts. */
  private record Unfit(int part, String why) {}

  private CampaignParts(Path folder, CampaignFile campaign) {
    this.folder = folder;
    this.campaign = campaign;
  }

  /** Reads all of them. */
  static CampaignParts in(Path folder) throws IOException {
    CampaignParts parts = new CampaignParts(folder, CampaignFile.in(folder));
    for (int part = 1; part <= parts.campaign.parts(); part++) {
      parts.read(part);
    }
    parts.lookForOthers();
    return parts;
  }

  private void read(int part) {
    Path file = CampaignFile.result(folder, part);
    if (!Files.exists(file)) {
      unfit.add(new Unfit(part, "has no result: it was not run, or was stopped before its end"));
      return;
    }
    try {
      PartReport report = PartReport.read(file);
      Set<CampaignShard> held = report.results().parts().keySet();
      for (CampaignShard shard : held) {
        Optional<CampaignFile.Difference> other = campaign.difference(report.results().id(), shard);
        if (other.isPresent()) {
          unfit.add(new Unfit(part, "its result is of " + other.get().words()));
          return;
        }
      }
      if (!held.equals(Set.of(new CampaignShard(part, campaign.parts())))) {
        unfit.add(
            new Unfit(
                part,
                "its file has another part: parts=%s; it was copied or renamed".formatted(held)));
        return;
      }
      tallies.putAll(report.results().parts());
      outputs = report.outputs().or(() -> outputs);
    } catch (ReplayException e) {
      unfit.add(new Unfit(part, String.valueOf(e.getMessage())));
    }
  }

  /** Results under other names may be of parts that ran twice, so they are never ignored. */
  private void lookForOthers() throws IOException {
    Path results = folder.resolve(CampaignFile.RESULTS);
    if (!Files.isDirectory(results)) {
      return;
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(results, "*.json")) {
      files.forEach(file -> {
        var named = FILE.matcher(String.valueOf(file.getFileName()));
        if (!named.matches() || Integer.parseInt(named.group(1)) > campaign.parts()) {
          others.add(file);
        }
      });
    }
    others.sort(null);
  }

  /** All parts that count. */
  CampaignResults results() {
    return new CampaignResults(campaign.id(), tallies);
  }

  Optional<JsonValue> outputs() {
    return outputs;
  }

  /** Prints how many parts count, and each other one with the command that runs it alone. */
  void print(PrintWriter out) {
    out.printf("parts    %d of %d%n", campaign.parts() - unfit.size(), campaign.parts());
    for (Unfit one : unfit.subList(0, Math.min(SHOWN, unfit.size()))) {
      out.printf("unfit    part %d: %s%n", one.part(), one.why());
      out.printf("  run    %s%n", campaign.alone(folder, one.part()));
    }
    if (unfit.size() > SHOWN) {
      out.printf("unfit    %d more parts%n", unfit.size() - SHOWN);
    }
    for (Path file : others.subList(0, Math.min(SHOWN, others.size()))) {
      out.printf("unfit    file %s: no part of this campaign has this name%n", file);
    }
    if (others.size() > SHOWN) {
      out.printf("unfit    %d more files%n", others.size() - SHOWN);
    }
  }

  /** Why nothing is decided yet; empty if every part counts and nothing else is there. */
  Optional<String> incomplete() {
    if (!unfit.isEmpty()) {
      return Optional.of(
          "parts without a result: parts=%d of %d; run each as written above and merge again, nothing is decided before"
              .formatted(unfit.size(), campaign.parts()));
    }
    return others.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "results under other names: files=%d; move them out of %s and merge again, nothing is decided before"
                .formatted(others.size(), folder.resolve(CampaignFile.RESULTS)));
  }
}
