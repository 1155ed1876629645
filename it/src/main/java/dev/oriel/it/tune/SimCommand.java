package dev.oriel.it.tune;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.topology.Topology;
import dev.oriel.it.options.ExitCodes;
import dev.oriel.it.options.JsonOption;
import dev.oriel.it.options.LaunchesOption;
import dev.oriel.it.options.LinkOptions;
import dev.oriel.it.options.OptionSpellings;
import dev.oriel.it.options.ProgramOptions;
import dev.oriel.it.options.ProgressReporter;
import dev.oriel.it.options.VerboseOption;
import dev.oriel.sim.replay.FaultPlan;
import dev.oriel.sim.time.CostPrediction;
import dev.oriel.sim.time.LinkModel;
import dev.oriel.sim.time.LoadedWords;
import dev.oriel.sim.time.TimeDriver;
import dev.oriel.sim.time.VirtualDeadlock;
import java.io.PrintWriter;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code oriel sim}: predicts the cost of a program in virtual time. */
@Command(
    name = "sim",
    description = "Predict the time of a program from the costs of links, with contention.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nMembers of the object that --json prints; times are picoseconds:%n",
    footer = {
      "  name, world, params, digest  the program",
      "  links, faults, loaded        the assumptions; loaded has the values of loads",
      "  launches, ends               their number; when each ended, from the first one's begin",
      "  first, last                  the time of the first launch, and of the last",
      "  traffic                      messages, nvlink_out, nvlink_in, rdma_out, rdma_in",
      "  busiest                      link, rank, rail, direction, busy, bytes of a port",
      "  events                       steps of the simulator",
      "  waits                        lanes that wait for ever; then there are no times"
    })
public final class SimCommand implements Callable<Integer> {
  private static final int NAMED = 8;

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private ProgramOptions options = new ProgramOptions();
  @Mixin private LinkOptions links = new LinkOptions();
  @Mixin private VerboseOption verbose = new VerboseOption();

  @Mixin private JsonOption json = new JsonOption();

  @Mixin private LaunchesOption launches = new LaunchesOption();

  @Option(
      names = "--word",
      paramLabel = "REGISTER=VALUE",
      description =
          "value that a load returns, since no bytes are moved (default: its bound; required without one)")
  private Map<String, Long> words = new TreeMap<>();

  @Option(
      names = "--faults",
      paramLabel = "PLAN",
      defaultValue = "none",
      converter = OptionSpellings.OfFaults.class,
      description =
          "links on which messages take longer, such as 'degrade rank=0 peer=1 by=4'"
              + " (default: ${DEFAULT-VALUE})")
  private FaultPlan faults = FaultPlan.NONE;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    Topology topology = options.topology();
    Program program = options.bind();
    LinkModel model = links.model();
    Map<String, Long> found = LoadedWords.atMost(program);
    requireLoads(LoadedWords.registers(program));
    found.putAll(words);
    SimLines lines = new SimLines(spec, program, topology, found);
    SimJson object = new SimJson(program, options.world(), model, launches.count(), found, faults);
    if (!json.on()) {
      lines.begin(options.world(), model);
    }
    try (ProgressReporter _ = new ProgressReporter(spec, work())) {
      CostPrediction predicted =
          new TimeDriver(program, topology, model, launches.count(), found, faults).run();
      if (json.on()) {
        json.print(object.of(predicted), out);
      } else {
        lines.print(predicted, faults.equals(FaultPlan.NONE), verbose.on());
      }
    } catch (VirtualDeadlock e) {
      if (json.on()) {
        json.print(object.of(e), out);
        return ExitCodes.VIOLATION;
      }
      out.printf("verdict        VIOLATION (deadlock)%n");
      out.printf("         lanes that wait: %d%n", e.waits().size());
      e.waits().stream().limit(NAMED).forEach(line -> out.printf("         %s%n", line));
      return ExitCodes.VIOLATION;
    }
    return ExitCodes.FINE;
  }

  private void requireLoads(Set<String> registers) {
    for (String word : words.keySet()) {
      if (!registers.contains(word)) {
        throw new ParameterException(
            spec.commandLine(),
            "no such load: option=--word, register=%s; known: %s"
                .formatted(word, registers.isEmpty() ? "none" : String.join(", ", registers)));
      }
    }
  }

  private String work() {
    return "launches=%d; fewer, or a smaller world or size, end sooner".formatted(launches.count());
  }
}
