package dev.oriel.it.tune;

import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.tuning.CandidateRanking;
import dev.oriel.domain.tuning.CandidateRanking.Offer;
import dev.oriel.domain.tuning.CandidateRanking.Origin;
import dev.oriel.domain.tuning.CandidateRanking.Refusal;
import dev.oriel.domain.tuning.Collective;
import dev.oriel.domain.tuning.LaneCount;
import dev.oriel.domain.tuning.TuningKey;
import dev.oriel.it.words.LabelledFacts;
import dev.oriel.it.words.NextCommand;
import dev.oriel.it.words.WorldWords;
import dev.oriel.sim.replay.JsonValue;
import dev.oriel.sim.replay.JsonValue.Elements;
import dev.oriel.sim.replay.JsonValue.Members;
import dev.oriel.sim.replay.JsonValue.Text;
import dev.oriel.sim.replay.JsonValue.Whole;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** The result of tuning, for readers and for machines. */
record TuneReport(
    Collective collective,
    String world,
    String device,
    Map<TuningKey, CandidateRanking> found,
    PlanCandidates plans,
    Optional<Measurements> measurements) {

  /**
   * Times that replace the predicted ones.
   *
   * @param gpu the kind of GPU
   */
  record Measurements(Map<TuningKey, CandidateRanking> times, String gpu) {}

  TuneReport measured(Map<TuningKey, CandidateRanking> times, String gpu) {
    return new TuneReport(
        collective, world, device, found, plans, Optional.of(new Measurements(times, gpu)));
  }

  /** The measured times if there are any, or else the predicted ones. */
  private Map<TuningKey, CandidateRanking> shown() {
    return measurements.map(Measurements::times).orElse(found);
  }

  /** For each size the fastest program; {@code --verbose} also lists the others. */
  void print(CommandSpec spec, PrintWriter out, Topology topology, String links, boolean verbose) {
    LabelledFacts facts =
        new LabelledFacts()
            .add(
                "collective",
                collective.word()
                    + measurements
                        .map(m -> ", times measured on " + m.gpu())
                        .orElse(", times predicted for links " + links))
            .add("world", WorldWords.world(world, topology));
    shown().forEach((key, ranking) -> facts.add("bytes", key.bytes() + ": " + choice(ranking)));
    facts.add("predicted", predicted(), 3);
    facts
        .add("cannot", refused(), 2)
        .add(
            "not looked at",
            measurements
                .map(m -> "programs with much slower predictions: --verbose names them")
                .orElse("measured times: --measure takes them on GPUs"))
        .next(next(spec))
        .print(out);
    if (verbose) {
      out.println();
      all(out);
    }
  }

  private static String choice(CandidateRanking ranking) {
    Offer best = ranking.best();
    Optional<Offer> second =
        ranking.offers().stream()
            .filter(offer -> !offer.choice().program().equals(best.choice().program()))
            .min(Comparator.comparingDouble(Offer::nanos));
    return best.choice().label()
        + " "
        + micros(best)
        + " us"
        + second
            .map(offer -> ", then %s %s us".formatted(offer.choice().label(), micros(offer)))
            .orElse("");
  }

  /** Where the prediction had another choice, that choice and its measured time. */
  private List<String> predicted() {
    List<String> others = new ArrayList<>();
    measurements.ifPresent(m ->
        m.times()
            .forEach((key, ranking) -> {
              String best = Objects.requireNonNull(found.get(key)).best().choice().label();
              ranking.offers().stream()
                  .filter(offer -> offer.choice().label().equals(best))
                  .filter(offer -> offer.nanos() > ranking.best().nanos())
                  .forEach(offer ->
                      others.add(
                          "%d: %s, measured %s us".formatted(key.bytes(), best, micros(offer))));
            }));
    return others;
  }

  /** The programs that support a size here in no variant. */
  private List<String> refused() {
    List<String> refused = new ArrayList<>();
    shown()
        .forEach((key, ranking) -> {
          String names =
              ranking.refusals().stream()
                  .filter(refusal -> !refusal.reason().startsWith(OfferTimer.NOT_MEASURED))
                  .map(refusal -> refusal.choice().program())
                  .filter(name ->
                      ranking.offers().stream()
                          .noneMatch(offer -> offer.choice().program().equals(name)))
                  .distinct()
                  .collect(Collectors.joining(", "));
          if (!names.isEmpty()) {
            refused.add("%s for %d".formatted(names, key.bytes()));
          }
        });
    return refused;
  }

  private String next(CommandSpec spec) {
    Optional<Path> plan = plans.file(found.values().iterator().next().best().choice().program());
    if (plan.isPresent()) {
      String file = plan.get().toString();
      return NextCommand.named("check").with(file).toString();
    }
    List<String> links =
        spec.commandLine().getParseResult().hasMatchedOption("--links")
            ? spec.commandLine().getParseResult().matchedOption("--links").originalStringValues()
            : List.of();
    String program = "auto:" + collective.word() + (links.isEmpty() ? "" : "@" + links.getLast());
    ParseResult given = spec.commandLine().getParseResult();
    NextCommand next = NextCommand.named("run").with(program);
    if (given.hasMatchedOption("--keep")) {
      next.with("--tuning", given.matchedOption("--keep").originalStringValues().getLast());
    }
    if (measurements.isPresent()) {
      next.with("--machine", "cuda");
    }
    return next.options(spec, "--world", "--type", "--op")
        .with("--bytes", Long.toString(found.keySet().iterator().next().bytes()))
        .toString();
  }

  private void all(PrintWriter out) {
    out.printf("tuned    %s, world %s, links %s%n", collective.word(), world, device);
    shown()
        .forEach((key, ranking) -> {
          Offer best = ranking.best();
          out.printf(
              Locale.ROOT,
              "bytes    %d: %s %s us%s%n",
              key.bytes(),
              best.choice().label(),
              micros(best),
              ranking
                  .best(Origin.TABLE)
                  .map(table ->
                      "; the table's best: %s %s us"
                          .formatted(table.choice().label(), micros(table)))
                  .orElse(""));
          ranking.offers().stream()
              .sorted(Comparator.comparingDouble(Offer::nanos))
              .forEach(offer ->
                  out.printf("         %12s us  %s%n", micros(offer), offer.choice().label()));
          ranking
              .refusals()
              .forEach(refusal ->
                  out.printf(
                      "              not: %s: %s%n", refusal.choice().label(), refusal.reason()));
        });
  }

  JsonValue json() {
    return new Members(
        Map.of(
            "collective", new Text(collective.word()),
            "world", new Text(world),
            "device", new Text(device),
            "gpu", new Text(measurements.map(Measurements::gpu).orElse("")),
            "sizes",
                new Elements(
                    shown().entrySet().stream()
                        .map(e -> size(e.getKey(), e.getValue()))
                        .toList())));
  }

  private static JsonValue size(TuningKey key, CandidateRanking ranking) {
    Map<String, JsonValue> all = new TreeMap<>();
    all.put("bytes", new Whole(key.bytes()));
    all.put("key", new Text(key.text()));
    all.put("choice", offer(ranking.best()));
    all.put(
        "table",
        new Elements(
            ranking.best(Origin.TABLE).stream().<JsonValue>map(TuneReport::offer).toList()));
    all.put("offers", new Elements(list(ranking.offers())));
    all.put(
        "refused",
        new Elements(ranking.refusals().stream().<JsonValue>map(TuneReport::refusal).toList()));
    return new Members(all);
  }

  private static List<JsonValue> list(List<Offer> offers) {
    return offers.stream().<JsonValue>map(TuneReport::offer).toList();
  }

  /**
   * The numbers of lanes, lanes for far peers and threads are 0 if the program's own text sets
   * them.
   */
  private static JsonValue offer(Offer offer) {
    return new Members(
        Map.of(
            "program", new Text(offer.choice().program()),
            "lanes", new Whole(offer.choice().lanes().map(LaneCount::lanes).orElse(0)),
            "far", new Whole(offer.choice().lanes().map(LaneCount::far).orElse(0)),
            "threads", new Whole(offer.choice().lanes().map(LaneCount::threads).orElse(0)),
            "picos", new Whole(Math.round(1000 * offer.nanos()))));
  }

  private static JsonValue refusal(Refusal refusal) {
    return new Members(
        Map.of(
            "program", new Text(refusal.choice().program()),
            "reason", new Text(refusal.reason())));
  }

  private static String micros(Offer offer) {
    return String.format(Locale.ROOT, "%.3f", offer.nanos() / 1e3);
  }
}
