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
import dev.oriel.ports.TuningStore;
import dev.oriel.sim.tuning.TimedCost;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
        "Predict the time of each program for a collective, and choose one for each size.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nMembers of the object that --json prints:%n",
    footer = {
      "  collective, world, device     what was asked for, and the links as keys name them",
      "  sizes                         for each size:",
      "    bytes, key                  the size, and its key in the file of --keep",
      "    choice, table, offers       the fastest; the fastest of a table, or none; all:",
      "      program, picos            the program and its predicted time in picoseconds",
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

  @Mixin private JsonOption json = new JsonOption();

  @Override
  public Integer call() {
    sizes.forEach(bytes -> OptionNumbers.atLeast(spec, "--bytes", 0, bytes));
    Collective meant = CollectivePrograms.collective(spec, collective);
    Optional<TuningKey.Element> element = CollectivePrograms.element(spec, meant, type, operator);
    Topology topology = world.topology();
    TimedCost cost = new TimedCost(links.model());
    List<CandidateProgram> candidates = CollectivePrograms.of(spec, meant);
    Map<TuningKey, CandidateRanking> found =
        new TreeMap<>((a, b) -> Long.compare(a.bytes(), b.bytes()));
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
    if (file != null) {
      TuningStore store = new TuningFile(file);
      found.forEach((key, ranking) -> store.keep(key.text(), ranking.best().choice().text()));
    }
    TuneReport report = new TuneReport(meant, world.text(), cost.device(), found, imported);
    if (json.on()) {
      json.print(report.json(), spec.commandLine().getOut());
    } else {
      report.print(spec, topology, links.model().name(), verbose.on());
    }
    return ExitCodes.FINE;
  }
}
