package dev.oriel.it.tune;

import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.tuning.CandidateProgram;
import dev.oriel.domain.tuning.CandidateRanking;
import dev.oriel.domain.tuning.CandidateRanking.Offer;
import dev.oriel.domain.tuning.CandidateRanking.Origin;
import dev.oriel.domain.tuning.Collective;
import dev.oriel.domain.tuning.ProgramChooser;
import dev.oriel.domain.tuning.TuningKey;
import dev.oriel.it.options.CollectivePrograms;
import dev.oriel.it.options.DistinctFiles;
import dev.oriel.it.options.ExitCodes;
import dev.oriel.it.options.LinkOptions;
import dev.oriel.it.options.OptionNumbers;
import dev.oriel.it.options.WorldOption;
import dev.oriel.it.run.LaunchedProcesses;
import dev.oriel.it.words.LabelledFacts;
import dev.oriel.it.words.NextCommand;
import dev.oriel.it.words.WorldWords;
import dev.oriel.ports.Executor;
import dev.oriel.ports.FabricListener;
import dev.oriel.sim.file.AtomicFileWriter;
import dev.oriel.sim.file.FileWriteException;
import dev.oriel.sim.time.LinkModel;
import dev.oriel.sim.time.LinkText;
import dev.oriel.sim.tuning.LinkCalibration;
import dev.oriel.sim.tuning.TimedCost;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code oriel calibrate}: fits the costs of links to the times of this host's GPUs. */
@Command(
    name = "calibrate",
    description =
        "Time the programs of the library on this host's GPUs, and fit the costs of links to these times. Every second size is not fitted to; its errors show how good the predictions are.",
    mixinStandardHelpOptions = true)
public final class CalibrateCommand implements Callable<Integer> {
  /** A rooted collective has one program that differs, and others no second program. */
  private static final List<Collective> COLLECTIVES =
      List.of(
          Collective.ALLGATHER,
          Collective.ALLTOALL,
          Collective.ALLREDUCE,
          Collective.REDUCESCATTER,
          Collective.SENDRECV);

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private LinkOptions links = new LinkOptions();
  @Mixin private WorldOption world = new WorldOption();
  @Mixin private TimingOptions timing = new TimingOptions();

  @Option(
      names = "--bytes",
      split = ",",
      description = "sizes, at least two (default: 8 to 67108864)")
  private List<Long> sizes = List.of(8L, 1024L, 16_384L, 131_072L, 1L << 20, 1L << 23, 1L << 26);

  @Option(
      names = "--keep",
      paramLabel = "FILE",
      description = "write the fitted costs to a file, which --links reads")
  private @Nullable Path file;

  @Option(
      names = "--times",
      paramLabel = "FILE",
      description = "write the measured times to a file, which --from reads")
  private @Nullable Path kept;

  @Option(
      names = "--from",
      paramLabel = "FILE",
      description = "fit to the times in this file; no GPU is needed")
  private @Nullable Path from;

  @Override
  public Integer call() throws IOException, FileWriteException {
    sizes.forEach(bytes -> OptionNumbers.atLeast(spec, "--bytes", 1, bytes));
    if (from != null && kept != null) {
      throw new ParameterException(
          spec.commandLine(), "times are read or written: give --from or --times");
    }
    new DistinctFiles(spec).with("--keep", file).with("--times", kept).with("--from", from);
    if (from != null) {
      return fitted(MeasuredTimes.read(from), spec.commandLine().getOut());
    }
    try (LaunchedProcesses processes = timing.meet();
        Executor executor = processes.open(FabricListener.NONE)) {
      MeasuredTimes times = measured(executor, processes);
      if (processes.number() != 0) {
        return ExitCodes.FINE;
      }
      if (kept != null) {
        AtomicFileWriter.write(kept, times.print());
      }
      return fitted(times, spec.commandLine().getOut());
    }
  }

  /** The times of every program that can run here, with the lanes of its text. */
  private MeasuredTimes measured(Executor executor, LaunchedProcesses processes) {
    Topology topology = world.topology();
    List<MeasuredTimes.Time> times = new ArrayList<>();
    for (Collective collective : COLLECTIVES) {
      List<CandidateProgram> candidates = CollectivePrograms.of(spec, collective);
      OfferTimer timer = new OfferTimer(timing.timer(executor, topology, processes), candidates);
      for (long bytes : sizes) {
        TuningKey key = key(collective, bytes, topology);
        CandidateRanking ranking = ranking(key, topology, candidates);
        timer
            .measured(key, topology, ranking, CalibrateCommand::isOwn, "lanes of a table")
            .offers()
            .forEach(offer ->
                times.add(
                    new MeasuredTimes.Time(
                        collective, bytes, offer.choice().program(), offer.nanos() / 1e3)));
      }
    }
    return new MeasuredTimes(world.text(), TimingOptions.gpu(executor), times);
  }

  private static boolean isOwn(Offer offer) {
    return offer.origin() == Origin.OWN;
  }

  private CandidateRanking ranking(
      TuningKey key, Topology topology, List<CandidateProgram> candidates) {
    return new ProgramChooser(new TimedCost(links.model())).rank(key, topology, candidates);
  }

  private TuningKey key(Collective collective, long bytes, Topology topology) {
    return TuningKey.of(
        collective,
        bytes,
        CollectivePrograms.element(spec, collective, null, null),
        topology,
        links.model().name());
  }

  private int fitted(MeasuredTimes times, PrintWriter out) throws FileWriteException {
    Topology topology = Topology.parse(times.world());
    List<PredictionErrors.Measured> all = new ArrayList<>();
    List<String> unknown = new ArrayList<>();
    for (MeasuredTimes.Time time : times.times()) {
      Optional<CandidateProgram> candidate =
          CollectivePrograms.of(spec, time.collective()).stream()
              .filter(each -> each.name().equals(time.program()))
              .findFirst();
      if (candidate.isEmpty()) {
        unknown.add(time.program());
        continue;
      }
      TuningKey key = key(time.collective(), time.bytes(), topology);
      all.add(
          new PredictionErrors.Measured(
              time,
              new LinkCalibration.Reading(
                  candidate.get().bind(key, topology, Optional.empty()),
                  topology,
                  1e3 * time.micros())));
    }
    List<Long> every =
        List.copyOf(new TreeSet<>(times.times().stream().map(MeasuredTimes.Time::bytes).toList()));
    List<PredictionErrors.Measured> used = new ArrayList<>();
    List<PredictionErrors.Measured> held = new ArrayList<>();
    all.forEach(one -> (every.indexOf(one.time().bytes()) % 2 == 0 ? used : held).add(one));
    if (held.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          "one size shows no error: sizes=%s; measure at least two".formatted(every));
    }
    LinkModel start = links.model();
    LinkModel model =
        new LinkCalibration(start, used.stream().map(PredictionErrors.Measured::reading).toList())
            .fitted("host");
    LabelledFacts facts =
        new LabelledFacts()
            .add("measured", "%d times on %s".formatted(all.size(), times.gpu()))
            .add("world", WorldWords.world(times.world(), topology))
            .add("fitted to", "sizes " + every(every, 0))
            .add("held out", "sizes " + every(every, 1));
    errors(facts, "fitted, " + start.name(), PredictionErrors.of(used, start));
    errors(facts, "fitted, now", PredictionErrors.of(used, model));
    errors(facts, "held, " + start.name(), PredictionErrors.of(held, start));
    errors(facts, "held, now", PredictionErrors.of(held, model));
    facts.add("unknown", unknown.stream().distinct().toList(), 2);
    if (file != null) {
      AtomicFileWriter.write(
          file,
          LinkText.print(
              model,
              List.of(
                  "%s, world %s: fitted by oriel calibrate".formatted(times.gpu(), times.world()),
                  "Sizes that were not fitted to: " + PredictionErrors.of(held, model).words())));
    }
    facts
        .next(
            file == null
                ? NextCommand.same(spec).with("--keep", "host.links").toString()
                : NextCommand.named("tune")
                    .with("allgather", "--world", times.world(), "--links", file.toString())
                    .toString())
        .print(out);
    return ExitCodes.FINE;
  }

  private static void errors(LabelledFacts facts, String label, PredictionErrors errors) {
    facts.add(label, List.of(errors.words()), 2);
  }

  private static String every(List<Long> sizes, int from) {
    List<String> words = new ArrayList<>();
    for (int i = from; i < sizes.size(); i += 2) {
      words.add(Long.toString(sizes.get(i)));
    }
    return String.join(", ", words);
  }
}
