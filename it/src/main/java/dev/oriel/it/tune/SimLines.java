package dev.oriel.it.tune;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.topology.PeerKind;
import dev.oriel.domain.topology.Topology;
import dev.oriel.it.words.LabelledFacts;
import dev.oriel.it.words.NextCommand;
import dev.oriel.it.words.WorldWords;
import dev.oriel.sim.time.CostPrediction;
import dev.oriel.sim.time.LinkModel;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The output of {@code oriel sim}: the duration, its largest part, and the limits of the
 * prediction.
 */
final class SimLines {
  /** Larger worlds are not checked. */
  private static final int CHECKED = 64;

  private final CommandSpec spec;
  private final PrintWriter out;
  private final Program program;
  private final Topology topology;
  private final Map<String, Long> loaded;

  SimLines(CommandSpec spec, Program program, Topology topology, Map<String, Long> loaded) {
    this.spec = spec;
    this.program = program;
    this.topology = topology;
    this.loaded = loaded;
    out = spec.commandLine().getOut();
  }

  void begin(String world, LinkModel links) {
    new LabelledFacts()
        .add("program", WorldWords.program(program))
        .add("world", WorldWords.world(world, topology))
        .add("links", links.name())
        .print(out);
  }

  void print(CostPrediction p, boolean faultless, boolean verbose) {
    int launches = p.ends().size();
    new LabelledFacts()
        .add(
            "time",
            say("%.3f us for a launch, predicted", p.last() / 1e3)
                + (launches == 1 ? "" : say("; %.3f us for the first", p.first() / 1e3)))
        .add("traffic", List.of(traffic(p)), 2)
        .add("busiest", busiest(p))
        .add("not looked at", unseen(faultless), 2)
        .next(next(p))
        .print(out);
    if (verbose) {
      details(p);
    }
  }

  private static String traffic(CostPrediction p) {
    return "%d messages in %s: %d bytes over NVLink, %d bytes over RDMA"
        .formatted(
            p.traffic().messages(),
            p.ends().size() == 1 ? "1 launch" : p.ends().size() + " launches",
            p.traffic().nvlinkOut(),
            p.traffic().rdmaOut());
  }

  private static String busiest(CostPrediction p) {
    CostPrediction.Port port = p.busiest();
    return say(
        "the %s port %s rank %d, for %.3f us or %.1f %% of the time",
        port.kind() == PeerKind.RDMA ? "RDMA" : "NVLink",
        port.in() ? "into" : "out of",
        port.rank(),
        port.busyNanos() / 1e3,
        share(p, port));
  }

  private List<String> unseen(boolean faultless) {
    List<String> unseen = new ArrayList<>();
    unseen.add("whether outputs are right");
    if (!loaded.isEmpty()) {
      unseen.add(
          loaded.entrySet().stream()
              .map(word -> word.getKey() + "=" + word.getValue())
              .collect(Collectors.joining(", ", "loaded words other than ", " (--word)")));
    }
    unseen.add("memory bandwidth and switches");
    if (faultless) {
      unseen.add("slow links (--faults)");
    }
    return unseen;
  }

  private String next(CostPrediction p) {
    NextCommand next =
        program.world() <= CHECKED
            ? NextCommand.bound("check", spec)
            : NextCommand.bound("explain", spec)
                .with("--rank", Integer.toString(p.busiest().rank()));
    return next.toString();
  }

  private void details(CostPrediction p) {
    CostPrediction.Port port = p.busiest();
    out.println();
    out.println("digest   " + program.digest());
    out.println(
        say(
            "time     us per launch: first=%.3f, last=%.3f; launches=%d, all=%.3f",
            p.first() / 1e3, p.last() / 1e3, p.ends().size(), p.total() / 1e3));
    out.println(
        say(
            "traffic  messages=%d, nvlink=%d bytes, rdma=%d bytes; signals and packet flags included",
            p.traffic().messages(), p.traffic().nvlinkOut(), p.traffic().rdmaOut()));
    out.println(
        say(
            "busiest  %s port %s rank %d%s: taken %.3f us, %.1f %% of the time, for %d bytes",
            port.kind().name().toLowerCase(Locale.ROOT),
            port.in() ? "into" : "out of",
            port.rank(),
            port.kind() == PeerKind.RDMA ? ", rail " + port.rail() : "",
            port.busyNanos() / 1e3,
            share(p, port),
            port.bytes()));
  }

  private static double share(CostPrediction p, CostPrediction.Port port) {
    return p.total() == 0 ? 0 : 100 * port.busyNanos() / p.total();
  }

  private static String say(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
