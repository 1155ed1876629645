package dev.oriel.it.measure;

import dev.oriel.domain.topology.Topology;
import dev.oriel.it.options.ExitCodes;
import dev.oriel.it.options.OptionNumbers;
import dev.oriel.it.ranks.RankCommandLine;
import dev.oriel.it.run.GpuTimer;
import dev.oriel.it.run.LaunchedProcesses;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code oriel bench cuda}: collectives on this host's GPUs, optionally next to NCCL. */
@Command(
    name = "cuda",
    description =
        "Time collectives and round trips on this host's GPUs, in one process and in one for each, every output byte checked; --peers runs NCCL on the same GPUs in between.",
    mixinStandardHelpOptions = true)
final class BenchCudaCommand implements Callable<Integer> {
  private static final int NONE = -1;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--world",
      defaultValue = "1x4",
      description = "GPUs of this host (default: ${DEFAULT-VALUE})")
  private String world = "1x4";

  @Option(
      names = "--collective",
      description = "one of ${COMPLETION-CANDIDATES}; may be repeated (default: all)")
  private List<BenchSubject> subjects = List.of(BenchSubject.values());

  @Option(
      names = "--processes",
      split = ",",
      description =
          "how ranks are spread: ${COMPLETION-CANDIDATES}, all in one process or each in one of its own (default: both, by turns)")
  private List<ProcessDistribution> processes = List.of(ProcessDistribution.values());

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

  @Option(names = RankCommandLine.AS_RANK, defaultValue = "-1", hidden = true)
  private int rank;

  @Option(names = "--meet", defaultValue = "0", hidden = true)
  private int port;

  @Override
  public Integer call() throws IOException, InterruptedException {
    OptionNumbers.atLeast(spec, "--graph", 1, calls);
    OptionNumbers.atLeast(spec, "--replays", 1, replays);
    OptionNumbers.atLeast(spec, "--rounds", 1, rounds);
    sizes.forEach(bytes -> OptionNumbers.atLeast(spec, "--bytes", 1, bytes));
    PrintWriter out = spec.commandLine().getOut();
    Topology topology = Topology.parse(world);
    CudaBench bench = new CudaBench(spec, topology, rows(topology), calls, replays);
    if (rank == NONE) {
      LaunchedProcesses.requireAlone("bench cuda");
      return measured(bench, topology, out);
    }
    RankCommandLine.endWithParent();
    new BenchRank(rank, topology.world(), port, bench).run(out);
    return ExitCodes.FINE;
  }

  private int measured(CudaBench bench, Topology topology, PrintWriter out)
      throws IOException, InterruptedException {
    Map<ProcessDistribution, BenchRunner> ways = new EnumMap<>(ProcessDistribution.class);
    try {
      for (ProcessDistribution way : EnumSet.copyOf(processes)) {
        ways.put(way, open(way, bench, topology.world()));
      }
      heading(out, topology, ways.values().iterator().next().gpus());
      return measured(ways, topology, out);
    } finally {
      ways.values().forEach(BenchRunner::close);
    }
  }

  private BenchRunner open(ProcessDistribution way, CudaBench bench, int ranks)
      throws IOException, InterruptedException {
    return switch (way) {
      case ONE -> new BenchRunner.InProcessBench(bench);
      case EACH -> new BenchRanks(new RankCommandLine(spec, List.of()), ranks);
    };
  }

  private void heading(PrintWriter out, Topology topology, List<String> gpus) {
    out.printf("machine  %s%n", ResourceMeter.machine());
    gpus.forEach(gpu -> out.printf("gpu      %s%n", gpu));
    subjects.stream()
        .filter(subject -> !subject.refusal(topology).isEmpty())
        .forEach(
            subject -> out.printf("left out %s: %s%n", subject.word(), subject.refusal(topology)));
    out.printf(
        "method   world=%s, processes=%s, graphs of %d calls (fewer above %d bytes a graph; of pingpong at most %d, of %d round trips each), rounds=%d, replays=%d a round, median of the slowest GPU in us (min to max), other inputs ahead of each replay, every output byte checked after it%n",
        world,
        processes.stream().map(ProcessDistribution::word).collect(Collectors.joining(",")),
        calls,
        GpuTimer.BYTES_OF_A_GRAPH,
        GpuTimer.FEWEST_CALLS,
        BenchSubject.TRIPS,
        rounds,
        replays);
    out.flush();
  }

  private int measured(
      Map<ProcessDistribution, BenchRunner> ways, Topology topology, PrintWriter out)
      throws InterruptedException {
    BenchTable table = new BenchTable();
    PreparationTally steady = new PreparationTally();
    NcclPeer peer = new NcclPeer(topology.world(), calls, replays);
    for (int round = 1; round <= rounds; round++) {
      try (BenchLines lines = new BenchLines(out, round)) {
        for (Map.Entry<ProcessDistribution, BenchRunner> way : ways.entrySet()) {
          way.getValue()
              .measure(reading -> {
                lines.add(way.getKey(), reading);
                table.add(way.getKey(), reading);
                steady.add(reading.program(), reading.micros().size(), reading.preparations());
              });
        }
        if (peers) {
          theirs(peer, topology, lines, table);
        }
      }
    }
    if (peers) {
      out.printf("peer     %s%n", peer.description());
    }
    table.lines().forEach(out::println);
    out.println(steady.line());
    return steady.exit();
  }

  private List<CudaBench.Row> rows(Topology topology) {
    return subjects.stream()
        .filter(subject -> subject.refusal(topology).isEmpty())
        .flatMap(subject ->
            subject.sizes(sizes).stream().map(bytes -> new CudaBench.Row(subject, bytes)))
        .toList();
  }

  private void theirs(NcclPeer peer, Topology topology, BenchLines lines, BenchTable table) {
    List<CudaBench.Row> rows = rows(topology);
    peer.measure(
        subjects.stream().map(BenchSubject::word).toList(),
        sizes,
        GpuTimer.BYTES_OF_A_GRAPH,
        reading ->
            rows.stream()
                .filter(row -> row.subject().word().equals(reading.collective()))
                .filter(row -> row.bytes() == reading.bytes())
                .forEach(row -> {
                  lines.addPeer(row, reading.micros());
                  table.addPeer(row, reading.micros());
                }));
  }
}
