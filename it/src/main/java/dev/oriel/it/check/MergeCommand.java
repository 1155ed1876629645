package dev.oriel.it.check;

import dev.oriel.it.options.ExitCodes;
import dev.oriel.it.options.OptionSpellings;
import dev.oriel.sim.file.AtomicFileWriter;
import dev.oriel.sim.replay.CampaignResults;
import dev.oriel.sim.replay.CampaignShard;
import dev.oriel.sim.replay.JsonValue;
import dev.oriel.sim.replay.ReplayException;
import dev.oriel.sim.replay.StrategyTally;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code oriel merge}: joins the results of the parts of a campaign. */
@Command(
    name = "merge",
    description =
        "Join the results of the parts of a campaign, and name the parts that are missing or unfit.",
    mixinStandardHelpOptions = true)
public final class MergeCommand implements Callable<Integer> {
  /** The prefix of coverage points that are bounds of a search. */
  static final String BOUND = "bound: ";

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      arity = "1..*",
      paramLabel = "FILE",
      description = "results, in any order, or one folder that oriel campaign wrote")
  private List<Path> files = new ArrayList<>();

  @Option(
      names = "--json",
      converter = OptionSpellings.NewFile.class,
      paramLabel = "FILE",
      description = "write all of it to a file, which oriel merge takes again")
  private @Nullable Path json;

  private @Nullable JsonValue outputs;

  @Override
  public Integer call() throws IOException {
    if (files.stream().noneMatch(Files::isDirectory)) {
      CampaignResults all = joined();
      PrintWriter out = spec.commandLine().getOut();
      out.printf("campaign %s%n", all.id());
      out.printf(
          "parts    %d in files=%d, missing: %s%n", all.parts().size(), files.size(), missing(all));
      return verdict(all, Optional.empty());
    }
    if (files.size() > 1) {
      throw new ParameterException(
          spec.commandLine(),
          "a folder among files: paths=%d; give one folder that oriel campaign wrote, or results alone"
              .formatted(files.size()));
    }
    CampaignParts parts = CampaignParts.in(files.getFirst());
    CampaignResults all = parts.results();
    PrintWriter out = spec.commandLine().getOut();
    out.printf("campaign %s%n", all.id());
    parts.print(out);
    outputs = parts.outputs().orElse(null);
    return verdict(all, parts.incomplete());
  }

  /** Prints what was executed and the verdict; a violation needs no other part. */
  private int verdict(CampaignResults all, Optional<String> incomplete) throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    all.totals().forEach((strategy, tally) -> strategy(out, strategy, tally));
    Optional<String> undecided = incomplete.or(all::undecided);
    if (json != null) {
      AtomicFileWriter.write(
          json, MergedJson.of(all, undecided, outputs).print() + System.lineSeparator());
    }
    Optional<CampaignResults.Found> first = all.first();
    if (first.isPresent()) {
      StrategyTally.First found = first.get().first();
      out.printf(
          "verdict  VIOLATION (%s) by %s, execution %d%n",
          found.kind(), first.get().strategy(), found.execution());
      out.printf("token    %s%n", found.token());
      return ExitCodes.VIOLATION;
    }
    if (undecided.isPresent()) {
      throw new ParameterException(spec.commandLine(), undecided.get());
    }
    boolean bounded = all.totals().values().stream().anyMatch(tally -> bounds(tally) > 0);
    out.println(
        "verdict  "
            + (CheckJson.nothingPromised(outputs)
                ? "nothing promised: no ensure speaks of outputs; nothing else found"
                : "nothing found")
            + (bounded ? " within the bounds above" : ""));
    return ExitCodes.FINE;
  }

  /** All files merged; no part may occur twice. */
  private CampaignResults joined() {
    CampaignResults all = read(files.getFirst());
    Map<CampaignShard, Path> from = new HashMap<>();
    for (Path file : files) {
      CampaignResults one = read(file);
      for (CampaignShard shard : one.parts().keySet()) {
        Path before = from.put(shard, file);
        if (before != null) {
          throw new ParameterException(
              spec.commandLine(),
              "part twice: shard=%s, files=%s and %s; give each part once, and see that none was written over another"
                  .formatted(shard, before, file));
        }
      }
      try {
        all = all.merge(one);
      } catch (ReplayException e) {
        throw new ParameterException(
            spec.commandLine(), "not of one campaign: file=%s: %s".formatted(file, e.getMessage()));
      }
    }
    return all;
  }

  private static long bounds(StrategyTally tally) {
    return tally.coverage().keySet().stream().filter(point -> point.startsWith(BOUND)).count();
  }

  private static String missing(CampaignResults campaign) {
    List<String> some = campaign.missing().stream().limit(8).map(Object::toString).toList();
    int more = campaign.missing().size() - some.size();
    return some.isEmpty() ? "none" : String.join(", ", some) + (more > 0 ? " and " + more : "");
  }

  private static void strategy(PrintWriter out, String strategy, StrategyTally tally) {
    out.printf(
        "covered  %s: executions=%d, states=%d%n", strategy, tally.executions(), tally.states());
    tally
        .first()
        .ifPresent(f ->
            out.printf(
                "found    %s in execution=%d, token %s%n", f.kind(), f.execution(), f.token()));
    tally
        .coverage()
        .forEach((point, parts) -> {
          if (point.startsWith(BOUND)) {
            out.printf("bounded  %s, in parts=%d%n", point.substring(BOUND.length()), parts);
          }
        });
  }

  private CampaignResults read(Path file) {
    try {
      PartReport report = PartReport.read(file);
      outputs = report.outputs().orElse(outputs);
      return report.results();
    } catch (ReplayException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()));
    }
  }
}
