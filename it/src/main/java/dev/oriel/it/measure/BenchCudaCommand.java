package dev.oriel.it.measure;

import dev.oriel.cuda.CudaExecutor;
import dev.oriel.cuda.CudaInstance;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.tuning.ShippedProgram;
import dev.oriel.domain.tuning.WorldParams;
import dev.oriel.it.options.Numbers;
import dev.oriel.it.options.ProgramTexts;
import dev.oriel.it.run.GraphTiming;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.MachineException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code oriel bench cuda}: collectives on this host's GPUs, beside NCCL if asked so. */
@Command(
    name = "cuda",
    description =
        "Time collectives on this host's GPUs, every output byte checked; --peers runs NCCL on the same GPUs in between.",
    mixinStandardHelpOptions = true)
final class BenchCudaCommand implements Callable<Integer> {
  private static final long SEED = 1;

  /** A graph is to take some milliseconds, not seconds. */
  private static final long BYTES_OF_A_GRAPH = 1L << 28;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--world",
      defaultValue = "1x4",
      description = "GPUs of this host (default: ${DEFAULT-VALUE})")
  private String world = "1x4";

  @Option(
      names = "--collective",
      description = "one of ${COMPLETION-CANDIDATES}; may be repeated (default: all)")
  private List<Collective> collectives = List.of(Collective.values());

  @Option(
      names = "--bytes",
      split = ",",
      description = "bytes of a rank, to all or to each (default: 8 to 8388608)")
  private List<Long> sizes = List.of(8L, 1024L, 16_384L, 131_072L, 1L << 20, 1L << 23);

  @Option(
      names = "--graph",
      defaultValue = "100",
      description = "calls in a graph, fewer of many bytes (default: ${DEFAULT-VALUE})")
  private int calls;

  @Option(
      names = "--replays",
      defaultValue = "11",
      description = "timed replays of each graph in a round (default: ${DEFAULT-VALUE})")
  private int replays;

  @Option(
      names = "--rounds",
      defaultValue = "2",
      description = "rounds, ours and the peer's in turn (default: ${DEFAULT-VALUE})")
  private int rounds;

  @Option(names = "--peers", description = "measure NCCL by PyTorch as well, which must be there")
  private boolean peers;

  /** What ranks do together, and the programs that do it. */
  enum Collective {
    ALLGATHER,
    ALLTOALL,
    ALLREDUCE,
    REDUCESCATTER,
    SENDRECV,
    BARRIER;

    /** Shipped programs that do it. */
    private List<String> programs() {
      return this == BARRIER
          ? List.of("barrier")
          : ShippedProgram.doing(dev.oriel.domain.tuning.Collective.valueOf(name())).stream()
              .map(ShippedProgram::name)
              .toList();
    }

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** One line of the table. */
  private record Row(Collective collective, long bytes) {}

  @Override
  public Integer call() {
    Numbers.atLeast(spec, "--graph", 1, calls);
    Numbers.atLeast(spec, "--replays", 1, replays);
    Numbers.atLeast(spec, "--rounds", 1, rounds);
    sizes.forEach(bytes -> Numbers.atLeast(spec, "--bytes", 1, bytes));
    PrintWriter out = spec.commandLine().getOut();
    Topology topology = Topology.parse(world);
    Map<Row, Map<String, Spread>> table = new LinkedHashMap<>();
    NcclPeer peer = new NcclPeer(topology.world(), calls, replays);
    Steady steady = new Steady();
    try (CudaExecutor executor = CudaExecutor.open(FabricListener.NONE, System::nanoTime)) {
      out.printf("machine  %s%n", Meter.machine());
      executor.inventory().forEach(gpu -> out.printf("gpu      %s%n", gpu));
      out.printf(
          "method   world=%s, one process, graphs of %d calls (fewer above %d bytes a graph), rounds=%d, replays=%d a round, median of the slowest GPU in us (min to max), every output byte checked%n",
          world, calls, BYTES_OF_A_GRAPH, rounds, replays);
      for (int round = 0; round < rounds; round++) {
        ours(executor, topology, table, steady);
        if (peers) {
          theirs(peer, table);
        }
        out.flush();
      }
    }
    if (peers) {
      out.printf("peer     %s%n", peer.description());
    }
    table.forEach((row, found) -> out.println(line(row, found)));
    out.println(steady.line());
    return steady.exit();
  }

  private List<Row> rows() {
    List<Row> rows = new ArrayList<>();
    for (Collective c : collectives) {
      (c == Collective.BARRIER ? List.of(0L) : sizes).forEach(bytes -> rows.add(new Row(c, bytes)));
    }
    return rows;
  }

  private void ours(
      CudaExecutor executor,
      Topology topology,
      Map<Row, Map<String, Spread>> table,
      Steady steady) {
    for (Row row : rows()) {
      for (String name : row.collective().programs()) {
        Form form = ProgramTexts.shipped(spec, name);
        if (form.params().isEmpty() || row.bytes() <= form.params().getFirst().max()) {
          Map<String, Long> values = new TreeMap<>();
          form.params()
              .forEach(
                  p -> values.put(p.name(), WorldParams.value(p, topology).orElse(row.bytes())));
          Program program = Program.bind(form, topology.world(), values);
          GraphTiming timing = measured(executor, program, topology, row);
          steady.add(name, replays, timing.preparations());
          note(table, row, name, timing.micros());
        }
      }
    }
  }

  private GraphTiming measured(CudaExecutor executor, Program program, Topology topology, Row row) {
    int fewer = Math.clamp(BYTES_OF_A_GRAPH / Math.max(1, row.bytes()), Math.min(5, calls), calls);
    try (CudaInstance instance = executor.prepare(program, topology)) {
      GraphTiming timing =
          GraphTiming.of(program, instance, fewer, replays, new SplittableRandom(SEED));
      if (!timing.problems().isEmpty()) {
        throw new MachineException("wrong output: " + timing.problems().getFirst());
      }
      return timing;
    }
  }

  private void theirs(NcclPeer peer, Map<Row, Map<String, Spread>> table) {
    for (NcclPeer.Reading reading :
        peer.measure(
            collectives.stream().map(Collective::word).toList(), sizes, BYTES_OF_A_GRAPH)) {
      for (Row row : rows()) {
        if (row.collective().word().equals(reading.collective())
            && row.bytes() == reading.bytes()) {
          note(table, row, "nccl", reading.micros());
        }
      }
    }
  }

  private static void note(
      Map<Row, Map<String, Spread>> table, Row row, String who, List<Double> micros) {
    table
        .computeIfAbsent(row, r -> new LinkedHashMap<>())
        .merge(who, new Spread(micros), Spread::and);
  }

  private static String line(Row row, Map<String, Spread> found) {
    StringBuilder line = new StringBuilder();
    line.append("%-9s %9d".formatted(row.collective().word(), row.bytes()));
    found.forEach((who, spread) -> line.append("  ").append(who).append(' ').append(spread));
    Spread peer = found.get("nccl");
    if (peer != null) {
      // Where no program takes so many bytes there is nothing to compare.
      found.entrySet().stream()
          .filter(e -> !e.getKey().equals("nccl"))
          .map(Map.Entry::getValue)
          .min((a, b) -> Double.compare(a.median(), b.median()))
          .ifPresent(best -> line.append(ratio(peer, best)));
    }
    return line.toString();
  }

  private static String ratio(Spread peer, Spread best) {
    return "  peer/ours=%.2f%s"
        .formatted(
            peer.median() / best.median(), best.overlaps(peer) ? " (within the spread)" : "");
  }

  /** Readings of one thing in all rounds. */
  private record Spread(List<Double> micros) {
    Spread {
      micros = micros.stream().sorted().toList();
    }

    Spread and(Spread other) {
      List<Double> all = new ArrayList<>(micros);
      all.addAll(other.micros);
      return new Spread(all);
    }

    double median() {
      return micros.get(micros.size() / 2);
    }

    boolean overlaps(Spread other) {
      return micros.getFirst() <= other.micros.getLast()
          && other.micros.getFirst() <= micros.getLast();
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT, "%.2f (%.2f to %.2f)", median(), micros.getFirst(), micros.getLast());
    }
  }
}
