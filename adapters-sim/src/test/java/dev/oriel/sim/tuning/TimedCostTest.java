package dev.oriel.sim.tuning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.measure.Thorough;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.IndexSet;
import dev.oriel.domain.topology.PeerKind;
import dev.oriel.domain.topology.RankFacts;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.tuning.BlockTable;
import dev.oriel.domain.tuning.CandidateRanking;
import dev.oriel.domain.tuning.Collective;
import dev.oriel.domain.tuning.PeerBlocks;
import dev.oriel.domain.tuning.ProgramChooser;
import dev.oriel.domain.tuning.TuningKey;
import dev.oriel.ports.MachineException;
import dev.oriel.sim.time.LinkText;
import dev.oriel.sim.time.TimeDriver;
import dev.oriel.sim.time.VirtualDeadlock;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TimedCostTest {
  private static final TimedCost COST = new TimedCost(LinkText.profile("h200"));

  /** In the middle of rows and at their last element; sizes above 4 MiB use the last row. */
  private static final List<Long> SIZES =
      List.of(8L, 1024L, 1028L, 65_536L, 65_540L, 1L << 20, 4L << 20, (4L << 20) + 4);

  private static final List<Topology> WORLDS =
      List.of(
          Topology.grid(1, 2),
          Topology.grid(1, 4),
          Topology.grid(2, 1),
          Topology.grid(2, 2),
          Topology.of(List.of(near(0), near(1), near(2), RankFacts.of("b", 0))));

  @ParameterizedTest
  @EnumSource
  void noChoiceIsDearerThanTheTables(Collective collective) {
    for (Topology topology : WORLDS) {
      for (long bytes : SIZES) {
        if (!Thorough.takes(10, collective, topology.domains(), bytes)) {
          continue;
        }
        TuningKey key = TuningKey.of(collective, bytes, Optional.empty(), topology, COST.device());
        CandidateRanking ranking =
            new ProgramChooser(COST).rank(key, topology, ShippedCandidates.candidates(collective));
        double table =
            ShippedCandidates.texts(collective).values().stream()
                .map(text ->
                    byTable(text, topology, collective.perPeer(bytes, topology.world()), bytes))
                .flatMapToDouble(OptionalDouble::stream)
                .min()
                .orElseThrow();
        assertThat(ranking.best().nanos()).as("%s", key.text()).isLessThanOrEqualTo(table);
        assertThat(ranking.best(CandidateRanking.Origin.TABLE).orElseThrow().nanos())
            .isEqualTo(table);
      }
    }
  }

  /** The table's value, computed from the program's text with the driver's code only. */
  private static OptionalDouble byTable(String text, Topology topology, long perPeer, long bytes) {
    if (!text.contains("let K = ")) {
      return OptionalDouble.empty();
    }
    boolean split = text.contains("let J = ");
    if (split && (row(topology) == 1 || topology.hosts().size() == 1)) {
      return OptionalDouble.empty();
    }
    int blocks = 0;
    int warps = 0;
    for (int rank : IntStream.range(0, topology.world()).toArray()) {
      PeerBlocks own = PeerBlocks.of(topology, rank, perPeer);
      blocks = Math.max(blocks, own.setting().blocks());
      warps = Math.max(warps, own.setting().warps());
    }
    Form form =
        FormParser.parse(
            text.replaceFirst(
                    "(?m)^let K = .*$",
                    "let K = " + (split ? BlockTable.NVLINK.at(perPeer).blocks() : blocks))
                .replaceFirst(
                    "(?m)^let J = .*$", "let J = " + BlockTable.INFINIBAND.at(perPeer).blocks())
                .replaceAll("sm\\(\\d+\\)", "sm(" + 32 * warps + ")"));
    boolean network = topology.kinds().contains(PeerKind.RDMA);
    boolean wantsMapped = text.contains("line128(") || text.contains(": copy {");
    if (bytes > form.params().getFirst().max() || (network && wantsMapped)) {
      return OptionalDouble.empty();
    }
    Map<String, Long> params = new TreeMap<>(Map.of("B", bytes));
    form.params().stream()
        .map(Form.Param::name)
        .filter(name -> !name.equals("B"))
        .forEach(name -> params.put(name, name.equals("domain") ? row(topology) : 0));
    try {
      return OptionalDouble.of(
          new TimeDriver(
                  Program.bind(form, topology.world(), params),
                  topology,
                  LinkText.profile("h200"),
                  3,
                  Map.of("c", bytes))
              .run()
              .last());
    } catch (MachineException e) {
      assertThat(form.name()).isIn("pull_all_reduce", "pull_reduce_scatter");
      return OptionalDouble.empty();
    }
  }

  /** The number of ranks connected by NVLink: the same on each host, or one if hosts differ. */
  private static long row(Topology topology) {
    int row = topology.hosts().getFirst().size();
    return topology.hosts().stream().allMatch(host -> host.size() == row) ? row : 1;
  }

  @Test
  void aProgramThatCannotRunThereIsRejected() {
    Topology apart = Topology.grid(2, 1);
    Form pull =
        FormParser.parse(
            Objects.requireNonNull(
                ShippedCandidates.texts(Collective.ALLREDUCE).get("pull-allreduce")));
    Program program = Program.bind(pull, 2, Map.of("B", 64L));
    assertThatThrownBy(() -> COST.nanos(program, apart)).isInstanceOf(ProgramException.class);
  }

  @Test
  void anEndlessWaitIsNoRejection() {
    Form stuck =
        FormParser.parse(
            """
            form stuck
            param B <= 8
            signal S[1]

            lane main: sm(32) {
              await S[0]@(r ^ 1) reached epoch + B acquire
              signal S[0]@(r ^ 1) set epoch + B release
            }
            """);
    Program program = Program.bind(stuck, 2, Map.of("B", 8L));
    assertThatThrownBy(() -> COST.nanos(program, Topology.grid(1, 2)))
        .isInstanceOf(VirtualDeadlock.class);
  }

  @Test
  void theDeviceFollowsTheCosts() {
    String h200 = COST.device();
    assertThat(h200).matches("h200@[0-9a-f]{12}");
    assertThat(new TimedCost(LinkText.profile("h200")).device()).isEqualTo(h200);
    assertThat(
            Stream.of("h200", "flat50")
                .map(LinkText::profile)
                .map(TimedCost::new)
                .map(TimedCost::device))
        .doesNotHaveDuplicates();
  }

  private static RankFacts near(int device) {
    return RankFacts.of("a", device).withReachable(IndexSet.range(0, 3));
  }
}
