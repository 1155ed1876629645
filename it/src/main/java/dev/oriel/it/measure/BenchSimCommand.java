package dev.oriel.it.measure;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.tuning.WorldParams;
import dev.oriel.it.options.ExitCodes;
import dev.oriel.it.options.LinkOptions;
import dev.oriel.it.options.OptionNumbers;
import dev.oriel.it.options.ProgramTexts;
import dev.oriel.sim.time.CostPrediction;
import dev.oriel.sim.time.LinkModel;
import dev.oriel.sim.time.TimeDriver;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code oriel bench sim}: the speed of programs in virtual time. */
@Command(
    name = "sim",
    description =
        "Measure how fast programs run in virtual time, and how fast executions are tried.",
    mixinStandardHelpOptions = true)
final class BenchSimCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private LinkOptions links = new LinkOptions();

  @Option(
      names = "--case",
      paramLabel = "PROGRAM:HxG",
      description =
          "a shipped program and its world; may be repeated"
              + " (default: ring:1024x1, ring:4096x1, log:65536x1)")
  private List<String> cases = List.of("ring:1024x1", "ring:4096x1", "log:65536x1");

  @Option(
      names = "--bytes",
      defaultValue = "8",
      description = "bytes that each rank contributes (default: ${DEFAULT-VALUE})")
  private long bytes;

  @Option(
      names = "--runs",
      defaultValue = "3",
      description =
          "runs of each case. Virtual time: prints the first run, which includes compilation, and the"
              + " run with the least processor time. Executions: prints all"
              + " (default: ${DEFAULT-VALUE})")
  private int runs;

  @Option(
      names = "--search",
      defaultValue = "200000",
      description =
          "random executions of each small program under profile L2 with every check on; 0 for none"
              + " (default: ${DEFAULT-VALUE})")
  private int search;

  @Option(
      names = "--states",
      defaultValue = "200000",
      description =
          "at most so many states of each search of all orders of a small program; 0 for none"
              + " (default: ${DEFAULT-VALUE})")
  private long states;

  @Override
  public Integer call() {
    OptionNumbers.atLeast(spec, "--search", 0, search);
    OptionNumbers.atLeast(spec, "--states", 0, states);
    OptionNumbers.atLeast(spec, "--runs", 1, runs);
    OptionNumbers.atLeast(spec, "--bytes", 0, bytes);
    PrintWriter out = spec.commandLine().getOut();
    LinkModel model = links.model();
    out.printf("machine  %s%n", ResourceMeter.machine());
    out.printf("links    %s, bytes=%d, launches=1, threads=1%n", model.name(), bytes);
    cases.forEach(c -> measure(out, c, model));
    if (search > 0) {
      new SearchBench(out, runs).measure(search);
      new CodeBench(out, runs).measure(Math.max(1, search / 1_000));
    }
    if (states > 0) {
      new ExhaustiveBench(spec, out, runs).measure(states);
    }
    return ExitCodes.FINE;
  }

  private void measure(PrintWriter out, String named, LinkModel model) {
    int colon = named.indexOf(':');
    if (colon < 0) {
      throw new ParameterException(
          spec.commandLine(), "bad case: case=" + named + "; write PROGRAM:HxG, as in ring:1024x1");
    }
    Form form = ProgramTexts.shipped(spec, named.substring(0, colon));
    String world = named.substring(colon + 1);
    Run first = null;
    Run best = null;
    for (int i = 0; i < runs; i++) {
      Run run = Run.of(form, world, bytes, model);
      first = first == null ? run : first;
      best = best == null || run.cpu() < best.cpu() ? run : best;
    }
    if (first == null || best == null) {
      throw new AssertionError("no run");
    }
    CostPrediction p = best.prediction;
    out.printf(
        Locale.ROOT,
        "case     %s: predicted_us=%.3f, messages=%d, events=%d%n",
        named,
        p.total() / 1e3,
        p.traffic().messages(),
        p.events());
    line(out, "first", first);
    line(out, "best", best);
  }

  private void line(PrintWriter out, String which, Run run) {
    CostPrediction p = run.prediction;
    out.printf(
        Locale.ROOT,
        "  %-6s prepare_s=%.3f, wall_s=%.3f, cpu_s=%.3f, events_per_s=%.2fM, messages_per_s=%.2fM, peak_heap_mb=%d; runs=%d%n",
        which,
        run.prepare.wallSeconds(),
        run.execute.wallSeconds(),
        run.execute.cpuSeconds(),
        p.events() / run.execute.wallSeconds() / 1e6,
        p.traffic().messages() / run.execute.wallSeconds() / 1e6,
        Math.max(run.prepare.peakHeap(), run.execute.peakHeap()) >> 20,
        runs);
  }

  /** One measured run: from the text's form to startable lanes, then to the prediction. */
  private record Run(
      ResourceMeter.Reading prepare, ResourceMeter.Reading execute, CostPrediction prediction) {

    static Run of(Form form, String world, long bytes, LinkModel model) {
      ResourceMeter meter = ResourceMeter.start();
      Topology topology = Topology.parse(world);
      Map<String, Long> params = new TreeMap<>(Map.of("B", bytes));
      form.params()
          .forEach(p -> WorldParams.value(p, topology).ifPresent(v -> params.put(p.name(), v)));
      Program program = Program.bind(form, topology.world(), params);
      TimeDriver driver = new TimeDriver(program, topology, model, 1, Map.of());
      ResourceMeter.Reading prepare = meter.read();
      meter = ResourceMeter.start();
      CostPrediction prediction = driver.run();
      return new Run(prepare, meter.read(), prediction);
    }

    /** Other users of the machine disturb processor time least. */
    double cpu() {
      return execute.cpuSeconds();
    }
  }
}
