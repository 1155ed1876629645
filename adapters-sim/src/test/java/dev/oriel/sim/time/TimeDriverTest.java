package dev.oriel.sim.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.PeerKind;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.contract.ShippedPrograms;
import dev.oriel.sim.replay.FaultPlan;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimeDriverTest {
  private static final LinkModel FLAT = LinkText.profile("flat50");
  private static final LinkModel H200 = LinkText.profile("h200");

  private static CostPrediction predict(
      Form form, String world, long bytes, LinkModel model, int launches) {
    Topology topology = Topology.parse(world);
    Map<String, Long> params = form.params().isEmpty() ? Map.of() : Map.of("B", bytes);
    Program program = Program.bind(form, topology.world(), params);
    return new TimeDriver(program, topology, model, launches, Map.of()).run();
  }

  private static double with(String faults) {
    Topology topology = Topology.parse("2x2");
    Form form = ShippedPrograms.form("ring_all_gather");
    Program program = Program.bind(form, topology.world(), Map.of("B", 1L << 20));
    return new TimeDriver(program, topology, H200, 2, Map.of(), FaultPlan.parse(faults))
        .run()
        .total();
  }

  /** A ring is as fast as its slowest link; an unused link costs nothing. */
  @Test
  void aSlowLinkDelaysItsUsersOnly() {
    double plain = with("none");
    assertThat(with("degrade rank=1 peer=2 by=1")).isEqualTo(plain);
    assertThat(with("degrade rank=0 peer=2 by=9")).isEqualTo(plain);
    assertThat(with("degrade rank=1 peer=2 by=4")).isBetween(1.5 * plain, 4 * plain);
    assertThat(with("degrade rank=2 peer=1 by=4")).isEqualTo(with("degrade rank=1 peer=2 by=4"));
  }

  @Test
  void faultsWithoutTimingAreRejected() {
    assertThatThrownBy(() -> with("crash rank=1 after=2"))
        .isInstanceOf(MachineException.class)
        .hasMessageContaining("fault='crash rank=1 after=2'");
    assertThatThrownBy(() -> with("degrade rank=1 peer=2 by=0"))
        .isInstanceOf(MachineException.class)
        .hasMessageContaining("fault='degrade rank=1 peer=2 by=0', min=1");
    assertThatThrownBy(() -> with("degrade rank=1 peer=7 by=2"))
        .hasMessageContaining("fault of a rank that does not exist");
  }

  private static double toTwo(String faults) {
    Form form =
        form(
            """
            if r == 0 {
              move out@1[0] <- in[0] bytes 16384
              move out@2[0] <- in[0] bytes 65536
              signal S[0]@1 set epoch release
              signal S[0]@2 set epoch release
              flush @1 local
              flush @2 local
            } else {
              await S[0]@0 reached epoch acquire
            }
            """);
    Topology topology = Topology.parse("3x1");
    Program program = Program.bind(form, topology.world(), Map.of());
    return new TimeDriver(program, topology, FLAT, 1, Map.of(), FaultPlan.parse(faults))
        .run()
        .total();
  }

  @Test
  void aSlowLinkDoesNotSlowItsPort() {
    double plain = toTwo("none");
    assertThat(toTwo("degrade rank=0 peer=1 by=3")).isCloseTo(plain, withinPercentage(5));
    assertThat(toTwo("degrade rank=0 peer=2 by=3")).isGreaterThan(1.5 * plain);
    assertThatThrownBy(() -> toTwo("degrade rank=0 peer=2 by=1000000000"))
        .isInstanceOf(MachineException.class)
        .hasMessageContaining("message takes too long: from=0, to=2");
  }

  private static Form form(String body) {
    return FormParser.parse(
        """
        form f
        input in[65536]
        output out[65536]
        signal S[1]
        lane main: sm(64) {
        """
            + body
            + "}\n");
  }

  /** A model in which only the named parts cost anything. */
  private static LinkModel wire(double latency, double bandwidth, double overhead) {
    LinkModel.Wire wire = new LinkModel.Wire(latency, bandwidth, overhead, 0);
    return new LinkModel("w", wire, wire, FLAT.nic(), FLAT.block(), FLAT.engine());
  }

  @ParameterizedTest
  @ValueSource(strings = {"1x2", "2x1"})
  void oneMessageCostsOverheadAndItsBytesAndTheLatency(String world) {
    Form one =
        form(
            """
            if r < 1 {
              move out@(r + 1)[0] <- in[0] bytes 1000
              signal S[0]@((r + 1) % n) set epoch release
            } else {
              await S[0]@((r - 1) % n) reached epoch acquire
            }
            """);
    double data = 7 + 1000 / 4.0 + 500;
    // On NVLink the release waits for the acknowledgement; on a queue the signal follows the data.
    double signal = world.equals("1x2") ? 500 + 7 + 500 : 7;
    assertThat(predict(one, world, 0, wire(500, 4, 7), 1).total()).isEqualTo(data + signal);
  }

  @ParameterizedTest
  @CsvSource({"2, 8", "3, 1000", "64, 8", "65, 64", "300, 8"})
  void aRingPaysEveryHopAndItsTwoEnds(int ranks, long bytes) {
    Form ring = ShippedPrograms.form("ring_all_gather");
    double hop = 1000 + bytes / 50.0;
    double ends = 1000 + 1000;
    assertThat(predict(ring, ranks + "x1", bytes, FLAT, 1).total())
        .isCloseTo(ends + (ranks - 1) * hop, within(1e-3));
  }

  @ParameterizedTest
  @CsvSource({"2, 1", "4, 2", "64, 6", "1024, 10"})
  void logarithmicStepsPayTheLatencyOncePerStep(int ranks, int steps) {
    Form log = ShippedPrograms.form("log_all_gather");
    double bytes = (ranks - 1) * 8 / 50.0;
    double total = predict(log, ranks + "x1", 8, FLAT, 1).total();
    // A step starts when its partner is ready, which it learns one latency later.
    assertThat(total).isBetween(steps * 1000 + bytes, (2 * steps + 1) * 1000 + 2 * bytes + 1);
  }

  @Test
  void twoSendersIntoOnePortShareIt() {
    String body =
        """
        if r < SENDERS {
          move out@3[r * 8192] <- in[0] bytes 8000
        }
        """;
    LinkModel model = wire(100, 1, 0);
    double alone = predict(form(body.replace("SENDERS", "1")), "1x4", 0, model, 1).total();
    double both = predict(form(body.replace("SENDERS", "2")), "1x4", 0, model, 1).total();
    assertThat(alone).isEqualTo(8000 + 100);
    assertThat(both).isEqualTo(2 * 8000 + 100);
  }

  @Test
  void twoPairsOnDifferentPortsDoNotInterfere() {
    Form pairs = form("move out@((r ^ 1) % n)[0] <- in[0] bytes 8000\n");
    assertThat(predict(pairs, "1x4", 0, wire(100, 1, 0), 1).total()).isEqualTo(8100);
  }

  @Test
  void theMessageRateIsLimited() {
    Form many =
        form(
            """
            for i < 10 {
              signal S[0]@((r + 1) % n) add 1 relaxed
            }
            await S[0]@((r - 1) % n) reached epoch * 10 relaxed
            """);
    LinkModel.Nic nic = new LinkModel.Nic(1, 0, 0, 50);
    LinkModel model =
        new LinkModel("rate", FLAT.nvlink(), FLAT.rdma(), nic, FLAT.block(), FLAT.engine());
    assertThat(predict(many, "2x1", 0, model, 1).total()).isEqualTo(9 * 50 + 1000);
  }

  @Test
  void copiesOfOneRankQueueForItsEngines() {
    Form copies =
        FormParser.parse(
            """
            form c
            input in[4096]
            output out[65536]
            lane main(g < 4): copy {
              move out@((r + 1) % n)[g * 4096] <- in[0] bytes 1000
            }
            """);
    for (int engines = 1; engines <= 4; engines *= 2) {
      LinkModel.Engine engine = new LinkModel.Engine(engines, 100, 1e9);
      LinkModel.Wire free = new LinkModel.Wire(0, 1e9, 0, 0);
      LinkModel model = new LinkModel("e", free, free, FLAT.nic(), FLAT.block(), engine);
      assertThat(predict(copies, "1x2", 0, model, 1).total()).isEqualTo(400.0 / engines);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"1x3", "3x1", "2x4", "1x8"})
  void sentBytesAreReceivedAndEveryBlockTravelsOnce(String world) {
    LinkModel model = wire(100, 10, 1);
    int ranks = Topology.parse(world).world();
    CostPrediction p = predict(ShippedPrograms.form("ring_all_gather"), world, 1000, model, 2);
    assertThat(p.traffic().nvlinkIn()).isEqualTo(p.traffic().nvlinkOut());
    assertThat(p.traffic().rdmaIn()).isEqualTo(p.traffic().rdmaOut());
    assertThat(p.traffic().bytes()).isEqualTo(2L * ranks * (ranks - 1) * 1000);
  }

  @Test
  void timeCoversTheBusiestPortAndGrowsWithBytes() {
    for (String name : ShippedPrograms.NAMES) {
      double before = 0;
      for (long bytes : new long[] {0, 1, 8, 1000, 16_384, 65_536}) {
        CostPrediction p = predict(ShippedPrograms.form(name), "2x2", bytes, H200, 1);
        assertThat(p.total()).as(name).isGreaterThanOrEqualTo(before);
        assertThat(p.busiest().busyNanos()).as(name).isLessThanOrEqualTo(p.total());
        before = p.total();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"1x4", "4x1", "2x4"})
  void twoRunsAreEqual(String world) {
    for (String name : ShippedPrograms.NAMES) {
      Form form = ShippedPrograms.form(name);
      assertThat(predict(form, world, 5000, H200, 4))
          .isEqualTo(predict(form, world, 5000, H200, 4));
    }
  }

  @Test
  void timeDoesNotDependOnTheNumbersOfRanks() {
    String ring =
        """
        let me = POSITION
        if me < 1 {
          move out@NEXT[0] <- in[0] bytes 5000
          signal S[0]@NEXT set epoch release
          await S[0]@LAST reached epoch acquire
        } else {
          await S[0]@LAST reached epoch acquire
          move out@NEXT[0] <- in[0] bytes 5000 / (me + 1)
          signal S[0]@NEXT set epoch release
        }
        """;
    String up = ring.replace("POSITION", "r").replace("NEXT", "((r + 1) % n)");
    String down = ring.replace("POSITION", "(n - 1 - r)").replace("NEXT", "((r - 1) % n)");
    Form forth = form(up.replace("LAST", "((r - 1) % n)"));
    Form back = form(down.replace("LAST", "((r + 1) % n)"));
    for (String world : new String[] {"1x5", "5x1"}) {
      assertThat(predict(forth, world, 0, H200, 3).ends())
          .isEqualTo(predict(back, world, 0, H200, 3).ends());
    }
  }

  @Test
  void lanesThatWaitForeverAreNamed() {
    Form form =
        FormParser.parse(
            """
            form stuck
            signal S[1]
            lane main(g < 2): sm(32) {
              signal S[0]@((r + 1) % n) set epoch release
              await S[0]@((r - 1) % n) reached epoch + g relaxed
            }
            """);
    assertThatThrownBy(() -> predict(form, "1x3", 0, H200, 1))
        .isInstanceOfSatisfying(
            VirtualDeadlock.class,
            e -> assertThat(e.waits()).hasSize(3).allMatch(w -> w.contains("lane=main[1]")))
        .hasMessageContaining("rank=2, lane=main[1]: await S[0]")
        .hasMessageContaining("rank 1's row has 1, wanted 2");
  }

  @Test
  void anUnobservableLoopIsRejected() {
    Form loop = FormParser.parse("form f lane l: sm(32) { for a < 4000000000 { sync } }");
    assertThatThrownBy(() -> predict(loop, "1x2", 0, FLAT, 1))
        .isInstanceOf(MachineException.class)
        .hasMessage(
            "a lane continues for ever without a visible step: rank=0, lane=l, instructions=1000000; let its loop end");
  }

  @Test
  void aLoadIsRejectedUnlessItsWordIsSupplied() {
    Form form =
        FormParser.parse(
            """
            form l
            input in[4096]
            output out[4096]
            lane main: sm(32) {
              load c <- in[0] <= 4096 else 1
              move out@((r + 1) % n)[0] <- in[0] bytes c
            }
            """);
    Topology topology = Topology.parse("1x2");
    Program program = Program.bind(form, 2, Map.of());
    assertThatThrownBy(() -> new TimeDriver(program, topology, FLAT, 1, Map.of()))
        .isInstanceOf(MachineException.class)
        .hasMessageContaining("load c")
        .hasMessageContaining("supply it");
    double small = new TimeDriver(program, topology, FLAT, 1, Map.of("c", 50L)).run().total();
    double large = new TimeDriver(program, topology, FLAT, 1, Map.of("c", 500L)).run().total();
    assertThat(large - small).isEqualTo(9);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "bulk ll[0] <- ll[64] bytes 16",
        "await bulk",
        "order alias",
        "lock ll[0]",
        "load x <- ll[0] acquire"
      })
  void operationsOfOneSidedCallsAreRejected(String call) {
    Form form = FormParser.parse("form f scratch ll[128] lane main: sm(32) { " + call + " }");
    Program program = Program.bind(form, 1, Map.of());
    assertThatThrownBy(() -> new TimeDriver(program, Topology.parse("1x1"), FLAT, 1, Map.of()))
        .isInstanceOf(MachineException.class)
        .hasMessageStartingWith("time is not predictable: lane=main, step=")
        .hasMessageEndingWith("; this driver times programs of moves and signals");
  }

  @Test
  void theBusiestPortIsTheOneThatEveryoneSendsTo() {
    Form gather = form("move out@2[r * 4096] <- in[0] bytes 4096\n");
    CostPrediction.Port port = predict(gather, "1x4", 0, H200, 1).busiest();
    assertThat(port.rank()).isEqualTo(2);
    assertThat(port.in()).isTrue();
    assertThat(port.kind()).isEqualTo(PeerKind.NVLINK);
    assertThat(port.bytes()).isEqualTo(3 * 4096);
  }

  /** Before an intended change of these figures, compare the new ones with measurements. */
  @ParameterizedTest
  @CsvSource({
    "ll_all_gather, 1x4, 2.537, 2.537",
    "ll_all_gather, 4x1, 6.849, 6.684",
    "ll_all_gather, 2x4, 9.155, 8.541",
    "ring_send_recv, 1x4, 6.115, 6.115",
    "ring_send_recv, 4x1, 8.741, 8.741",
    "ring_send_recv, 2x4, 8.741, 8.741",
    "ring_all_gather, 1x4, 12.499, 12.499",
    "ring_all_gather, 4x1, 23.466, 23.466",
    "ring_all_gather, 2x4, 35.364, 33.665",
    "log_all_gather, 1x4, 11.769, 11.769",
    "log_all_gather, 4x1, 23.486, 23.486",
    "log_all_gather, 2x4, 32.879, 32.879"
  })
  void costsOfShippedProgramsAreUnchanged(String name, String world, double first, double last) {
    CostPrediction p = predict(ShippedPrograms.form(name), world, 10_000, H200, 3);
    assertThat(p.first() / 1e3).isCloseTo(first, within(6e-4));
    assertThat(p.last() / 1e3).isCloseTo(last, within(6e-4));
  }

  /** Runs in a separate process with a small heap. */
  static final class TooMuch {
    public static void main(String[] arguments) {
      Form form = ShippedPrograms.form("ll_all_gather");
      try {
        predict(form, "128x8", 262_144, H200, 1);
      } catch (MachineException e) {
        System.out.println(e.environment() + " " + e.getMessage());
      }
    }

    private TooMuch() {}
  }

  @Test
  void aRunThatExceedsTheHeapEndsWithFigures() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx48m",
                "-cp",
                System.getProperty("java.class.path"),
                TooMuch.class.getName())
            .redirectErrorStream(true)
            .start();
    try {
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(said)
          .matches(
              "(?s)true out of memory in virtual time: lanes=\\d+, now_us=\\d+\\.\\d+, events=\\d+, messages=\\d+, max heap=\\d+ bytes; .*");
    } finally {
      process.destroyForcibly();
    }
  }
}
