package dev.oriel.sim.search;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.window.Comparison;
import dev.oriel.domain.window.DataSizes;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.contract.ShippedPrograms;
import dev.oriel.sim.litmus.LitmusChecker;
import dev.oriel.sim.litmus.answer.MemoryModel;
import dev.oriel.sim.litmus.text.LitmusParser;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.museum.CaseStudyCatalogue;
import dev.oriel.sim.museum.CaseStudyReview;
import dev.oriel.sim.ranks.RankCode;
import dev.oriel.sim.ranks.RankCodeExploration;
import dev.oriel.sim.replay.CampaignShard;
import dev.oriel.sim.replay.FaultPlan;
import dev.oriel.sim.time.LinkText;
import dev.oriel.sim.time.TimeDriver;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Searches that exceed a small heap; each runs in a separate JVM. */
final class LargeSearches {
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final int EXHIBITS = 12;

  /** Lanes that add to one word, each of which receives the old value. */
  private static final String CONTENDED =
      """
      form contended
      scratch w[8]
      scratch old[64]
      lane main: sm(32) {
        %s
      }
      """
          .formatted(
              IntStream.range(0, 8)
                  .mapToObj(i -> "atomic old[%d] <- w@(0)[0] add 1".formatted(8 * i))
                  .collect(Collectors.joining("\n  ")));

  private LargeSearches() {}

  /** Prints the result of the search of that name. */
  public static void main(String[] arguments) {
    try {
      System.out.println(said(arguments[0]));
    } catch (MachineException e) {
      System.out.println("refused environment=" + e.environment() + " " + e.getMessage());
    }
  }

  private static String said(String name) {
    return switch (name) {
      case "synchronisation" ->
          explored(FormParser.parse(CONTENDED), "1x3", Strategy.SYNCHRONISATION, "none", false);
      case "full" -> explored(shipped("push_all_to_all"), "1x2", Strategy.FULL, "none", false);
      case "symmetric" -> explored(shipped("push_all_to_all"), "1x3", Strategy.FULL, "none", true);
      case "faults" ->
          explored(
              shipped("push_all_to_all"),
              "2x1",
              Strategy.FULL,
              "straggle rank=1 by=5; crash rank=1 after=90",
              false);
      case "random" -> explored(shipped("ring_all_gather"), "1x4", Strategy.RANDOM, "none", false);
      case "wide" -> explored(shipped("ll_all_gather"), "8x8", Strategy.FIFO, "none", false);
      case "launches" -> launches();
      case "long" -> longest();
      case "ranks" -> said(ranks());
      case "states" -> states();
      case "moments" -> moments();
      case "time" -> time();
      case "museum" -> museum();
      default -> throw new IllegalArgumentException(name);
    };
  }

  private static Form shipped(String name) {
    return ShippedPrograms.form(name);
  }

  private static String said(CheckReport report) {
    return "holds=%s bounds=%s executions=%d"
        .formatted(
            report.verdict().holds(), report.verdict().bounds(), report.verdict().executions());
  }

  private static String explored(
      Form form, String world, Strategy strategy, String faults, boolean symmetric) {
    Topology topology = Topology.parse(world);
    Program program = Program.bind(form, topology.world(), ShippedPrograms.params(form, 8, 0));
    Budget budget = new Budget(3_000, Long.MAX_VALUE, 5_000_000, Long.MAX_VALUE);
    Checker checker =
        new Checker(
            strategy,
            budget,
            1,
            Checker.strict(Profile.L2, 2),
            FaultPlan.parse(faults),
            CampaignShard.WHOLE);
    return said((symmetric ? checker.symmetric() : checker).explore(program, topology));
  }

  /** The expected outputs of every launch are retained until they fill the heap. */
  private static String launches() {
    Form form = shipped("ring_all_gather");
    Program program = Program.bind(form, 8, ShippedPrograms.params(form, 1_000, 0));
    Checker checker =
        new Checker(Strategy.FIFO, Budget.DEFAULT, 1, Checker.strict(Profile.L2, 200));
    return said(checker.explore(program, Topology.parse("1x8")));
  }

  /** An execution that fails after more steps than the trace has room for. */
  private static String longest() {
    String text =
        """
        form late
        input in[8]
        output out[8]
        ensure out[0] = in[0] bytes 8
        lane main: sm(32) {
          move out[0] <- in[0] bytes 8
          if epoch == 20000 { sync store out[0] <- 0 }
        }
        """;
    Topology topology = Topology.parse("1x1");
    CheckReport report =
        new Checker(Strategy.FIFO, Budget.DEFAULT, 1, Checker.strict(Profile.L2, 20_000))
            .explore(Program.bind(FormParser.parse(text), 1, Map.of()), topology);
    return "%s; %s"
        .formatted(
            report.verdict().violation().orElseThrow().message(),
            report.found().orElseThrow().tokenless());
  }

  /** Code that allocates all memory. */
  private static CheckReport ranks() {
    RankCode code =
        (window, rank) -> {
          window.signal(1 - rank, 0, 1);
          window.await(1 - rank, 0, Comparison.REACHED, 1, LONG);
          window.write(0, new byte[] {(byte) new long[1 << 24].length});
        };
    return RankCodeExploration.of(
            "large",
            WindowSpec.named("w").withData(DataSizes.uniform(64)).withSignals(1),
            Topology.parse("1x2"),
            Thread::startVirtualThread,
            code)
        .check();
  }

  /** One column per thread. */
  private static String row(int threads, IntFunction<String> cell) {
    return IntStream.range(0, threads)
        .mapToObj(cell)
        .collect(Collectors.joining(" | ", "", " ;\n"));
  }

  private static String decided(String text) {
    return new LitmusChecker(MemoryModel.PTX_7_5, 10_000_000, 2)
        .check(LitmusParser.parse(text))
        .toString();
  }

  /** Every load may find any of the stores: more final states than fit in memory. */
  private static String states() {
    return decided(
        "PTX STATES\n{ x=0; }\n"
            + row(16, "P%1$d@cta %1$d,gpu 0"::formatted)
            + row(16, t -> t < 8 ? "st.weak x, %d".formatted(t + 1) : "ld.weak r0, x")
            + IntStream.range(8, 16)
                .mapToObj("P%d:r0 == 77"::formatted)
                .collect(Collectors.joining(" /\\ ", "exists (", ")\n")));
  }

  /** One final state, on more paths than fit in memory. */
  private static String moments() {
    return decided(
        "PTX MOMENTS\n{ %s }\n"
                .formatted(
                    IntStream.range(0, 8)
                        .mapToObj("x%d=0;"::formatted)
                        .collect(Collectors.joining(" ")))
            + row(8, "P%1$d@cta %1$d,gpu 0"::formatted)
            + row(8, "st.relaxed.gpu x%d, 1"::formatted)
            + row(8, "st.relaxed.gpu x%d, 2"::formatted)
            + row(8, "st.relaxed.gpu x%d, 3"::formatted)
            + "exists (x0 == 1)\n");
  }

  private static String time() {
    Topology topology = Topology.parse("512x8");
    Program program = Program.bind(shipped("ll_all_gather"), topology.world(), Map.of("B", 8L));
    return new TimeDriver(program, topology, LinkText.profile("h200"), 1, Map.of())
        .run()
        .toString();
  }

  private static String museum() {
    List<String> complaints =
        CaseStudyCatalogue.read().exhibits().stream()
            .filter(e -> e.showcase().isPresent() && !e.missed())
            .limit(EXHIBITS)
            .flatMap(e -> CaseStudyReview.of(e).complaints().stream())
            .toList();
    return "complaints=" + complaints;
  }
}
