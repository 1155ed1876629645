package dev.oriel.it.tune;

import dev.oriel.domain.data.DataType;
import dev.oriel.domain.data.ReduceOp;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.tuning.CandidateProgram;
import dev.oriel.domain.tuning.CandidateRanking;
import dev.oriel.domain.tuning.Collective;
import dev.oriel.domain.tuning.ProgramChooser;
import dev.oriel.domain.tuning.TuningKey;
import dev.oriel.it.options.CollectivePrograms;
import dev.oriel.it.options.ExitCodes;
import dev.oriel.it.options.JsonOption;
import dev.oriel.it.options.LinkOptions;
import dev.oriel.it.options.OptionNumbers;
import dev.oriel.it.options.OptionSpellings;
import dev.oriel.it.options.TuningFile;
import dev.oriel.it.options.VerboseOption;
import dev.oriel.it.options.WorldOption;
import dev.oriel.it.run.LaunchedProcesses;
import dev.oriel.ports.Executor;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.TuningStore;
import dev.oriel.sim.tuning.TimedCost;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code oriel tune}: finds the fastest program for a collective, according to the costs of links.
 */
@Command(
    name = "tune",
    description =
        "Predict or measure the time of each program for a collective, and choose one for each size.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nMembers of the object that --json prints:%n",
    footer = {
      "  collective, world, device     what was asked for, and the links as keys name them",
      "  gpu                           the GPUs on which the times were measured; empty if predicted",
      "  sizes                         for each size:",
      "    bytes, key                  the size, and its key in the file of --keep",
      "    choice, table, offers       the fastest; the fastest of a table, or none; all:",
      "      program, picos            the program and its time in picoseconds",
      "      lanes, far, threads       numbers of a table; 0 if the program's text sets them",
      "    refused                     programs that cannot do it: program, reason"
    })
public final class TuneCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private LinkOptions links = new LinkOptions();
  @Mixin private WorldOption world = new WorldOption();
  @Mixin private VerboseOption verbose = new VerboseOption();

  @Parameters(
      paramLabel = "COLLECTIVE",
      description =
          "allgather, alltoall, alltoallv, allreduce, reducescatter, broadcast, gather, scatter or sendrecv")
  private String collective = "";

  @Option(
      names = "--bytes",
      split = ",",
      description = "bytes of a rank, to all or to each (default: 8 to 8388608)")
  private List<Long> sizes = List.of(8L, 1024L, 16_384L, 131_072L, 1L << 20, 1L << 23);

  @Option(
      names = "--type",
      converter = OptionSpellings.OfType.class,
      description = "elements that are reduced (default: fp32)")
  private @Nullable DataType type;

  @Option(
      names = "--op",
      converter = OptionSpellings.OfOperator.class,
      description = "what they are reduced by (default: sum)")
  private @Nullable ReduceOp operator;

  @Option(
      names = "--keep",
      paramLabel = "FILE",
      description = "add the choices to a file, which --tuning reads")
  private @Nullable Path file;

  @Option(
      names = "--plan",
      paramLabel = "FILE",
      description = "also look at a plan in MSCCL XML, or of MSCCL++; may be given several times")
  private List<Path> plans = List.of();

  @Option(
      names = "--measure",
      description =
          "time the programs on this host's GPUs, check their results, and choose by these times")
  private boolean measure;

  @Mixin private TimingOptions timing = new TimingOptions();
  @Mixin private JsonOption json = new JsonOption();

  @Override
  public Integer call() {
    sizes.forEach(bytes -> OptionNumbers.atLeast(spec, "--bytes", 0, bytes));
    Collective meant = CollectivePrograms.collective(spec, collective);
    Optional<TuningKey.Element> element = CollectivePrograms.element(spec, meant, type, operator);
    Topology topology = world.topology();
    TimedCost cost = new TimedCost(links.model());
    List<CandidateProgram> candidates = CollectivePrograms.of(spec, meant);
    SortedMap<TuningKey, CandidateRanking> found =
        new TreeMap<>((a, b) -> Long.compare(a.bytes(), b.bytes()));
    if (measure && !plans.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "plans are not measured: give --measure or --plan");
    }
    if (file != null && !plans.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          "--keep cannot keep a plan, since a plan has no name that each rank knows; give --keep or --plan");
    }
    PlanCandidates imported = PlanCandidates.of(spec, plans, meant, world.text(), topology.world());
    for (long bytes : sizes) {
      TuningKey key = TuningKey.of(meant, bytes, element, topology, cost.device());
      PlanCandidates.OfKey more = imported.at(key);
      List<CandidateProgram> all = new ArrayList<>(candidates);
      all.addAll(more.candidates());
      found.put(key, new ProgramChooser(cost).rank(key, topology, all).with(more.refused()));
    }
    TuneReport report =
        new TuneReport(meant, world.text(), cost.device(), found, imported, Optional.empty());
    if (!measure) {
      keep(found);
      return printed(report, topology, spec.commandLine().getOut());
    }
    try (LaunchedProcesses processes = timing.meet();
        Executor executor = processes.open(FabricListener.NONE)) {
      String gpu = TimingOptions.gpu(executor);
      OfferTimer timer = new OfferTimer(timing.timer(executor, topology, processes), candidates);
      SortedMap<TuningKey, CandidateRanking> measured = timer.fastest(found, topology);
      if (processes.number() == 0) {
        Map<TuningKey, CandidateRanking> kept = new LinkedHashMap<>();
        measured.forEach((key, ranking) -> kept.put(key.measuredOn(gpu), ranking));
        keep(kept);
      }
      return printed(
          report.measured(measured, gpu), topology, processes.once(spec.commandLine().getOut()));
    }
  }

  private void keep(Map<TuningKey, CandidateRanking> rankings) {
    if (file != null) {
      TuningStore store = new TuningFile(file);
      rankings.forEach((key, ranking) -> store.keep(key.text(), ranking.best().choice().text()));
    }
  }

  private int printed(TuneReport report, Topology topology, PrintWriter out) {
    if (json.on()) {
      json.print(report.json(), out);
    } else {
      report.print(spec, out, topology, links.model().name(), verbose.on());
    }
    return ExitCodes.FINE;
  }
}
