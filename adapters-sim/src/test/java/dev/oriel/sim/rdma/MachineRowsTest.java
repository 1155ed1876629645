package dev.oriel.sim.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.lowering.Lowering;
import dev.oriel.domain.program.Parser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.machine.Detectors;
import dev.oriel.sim.machine.Profile;
import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.rdma.RdmaRow.Verdict;
import dev.oriel.sim.replay.Timeouts;
import dev.oriel.sim.search.Endings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The rows of the catalogue as programs: where a row is allowed the machine finds something wrong
 * (which it does before it shows a stale value), where it is forbidden nothing.
 */
@SuppressWarnings({"NullAway", "StringSplitter"})
class MachineRowsTest {
  private static final Map<String, String[]> PROGRAMS = new LinkedHashMap<>();

  /** Rows that are no programs, by the reason. */
  private static final Map<String, List<String>> LEFT_OUT = new TreeMap<>();

  private static void row(String name, String machine, String... ranks) {
    String[] all = new String[ranks.length + 1];
    all[0] = machine;
    System.arraycopy(ranks, 0, all, 1, ranks.length);
    PROGRAMS.put(name, all);
  }

  static {
    row("R1a", "2x1 rdma-strict", "store x[0] <- 1 put y@1[0] <- x[0] bytes 8");
    row("R2", "2x1 rdma-strict", "move y@1[0] <- x[0] bytes 8 store x[0] <- 1");
    row("R3", "2x1 rdma-strict", "move y@1[0] <- x[0] bytes 8 flush @1 local store x[0] <- 1");
    row("R4a", "2x1 rdma-strict", "get x[0] <- y@1[0] bytes 8 nb load r1 <- x[0]");
    row("R4b", "2x1 rdma-strict", "get x[0] <- y@1[0] bytes 8 load r1 <- x[0]");
    row("R6a", "2x1 rdma-strict", "get x[0] <- y@1[0] bytes 8 nb put z@1[0] <- x[0] bytes 8 nb");
    row("R6c", "2x1 rdma-strict", "get x[0] <- y@1[0] bytes 8 put z@1[0] <- x[0] bytes 8 nb");
    row(
        "R7a",
        "2x1 rdma-strict",
        "move a@1[0] <- x[0] bytes 8 signal F[0]@1 set 1 release",
        "await F[0]@0 reached 1 acquire load r1 <- a[0]");
    row(
        "R8a",
        "2x1 rdma-strict",
        "put a@1[0] <- x[0] bytes 8 nb put b@1[0] <- x[0] bytes 8 notify F[0] set 1 via 1 nb",
        "await F[0]@0 reached 1 acquire load r1 <- a[0]");
    row(
        "R8b",
        "2x1 rdma-strict",
        "put a@1[0] <- x[0] bytes 8 nb quiet put b@1[0] <- x[0] bytes 8 notify F[0] set 1 via 1 nb",
        "await F[0]@0 reached 1 acquire load r1 <- a[0]");
    row(
        "R9a",
        "2x1 rdma-strict",
        "put a@1[0] <- x[0] bytes 8 via 1 nb signal F[0]@1 add 1 release",
        "await F[0]@0 reached 1 acquire load r1 <- a[0]");
    row(
        "R9b",
        "2x1 rdma-strict",
        "move a@1[0] <- x[0] bytes 8 signal F[0]@1 add 1 release",
        "await F[0]@0 reached 1 acquire load r1 <- a[0]");
    row(
        "R10a",
        "2x1 rdma-strict",
        "put a@1[0] <- x[0] bytes 8 notify F[0] add 1 nb",
        "await F[0]@0 reached 1 acquire load r1 <- a[0]");
    row(
        "R10b",
        "2x1 rdma-strict",
        "put a@1[0] <- x[0] bytes 8 via 1 nb put b@1[0] <- x[0] bytes 8 notify F[0] add 1 nb",
        "await F[0]@0 reached 1 acquire load r1 <- a[0]");
    row(
        "R11a",
        "2x1 rdma-strict",
        "put a@1[0] <- x[0] bytes 8 nb put b@1[0] <- x[0] bytes 8 via 1 nb put z@1[0] <- x[0] bytes 8 notify F[0] add 1 via 2 nb",
        "await F[0]@0 reached 1 acquire load r1 <- a[0] load r2 <- b[0]");
    row(
        "R11b",
        "2x1 rdma-strict",
        "put a@1[0] <- x[0] bytes 8 nb put b@1[0] <- x[0] bytes 8 via 1 nb quiet quiet via 1 put z@1[0] <- x[0] bytes 8 notify F[0] add 1 via 2 nb",
        "await F[0]@0 reached 1 acquire load r1 <- a[0] load r2 <- b[0]");
    row(
        "R11c",
        "2x1 rdma-strict",
        "put a@1[0] <- x[0] bytes 8 nb put b@1[0] <- x[0] bytes 8 via 1 nb quiet put z@1[0] <- x[0] bytes 8 notify F[0] add 1 via 2 nb",
        "await F[0]@0 reached 1 acquire load r1 <- a[0] load r2 <- b[0]");
    row(
        "R12a",
        "2x1 rdma-strict",
        "put a@1[0] <- x[0] bytes 8 nb put b@1[0] <- x[0] bytes 8 nb fence put z@1[0] <- x[0] bytes 8 notify F[0] add 1 nb",
        "await F[0]@0 reached 1 acquire load r1 <- a[0]");
    row(
        "R12b",
        "2x1 rdma-strict",
        "put a@1[0] <- x[0] bytes 8 nb put b@1[0] <- x[0] bytes 8 nb put z@1[0] <- x[0] bytes 8 notify F[0] add 1 nb",
        "await F[0]@0 reached 1 acquire load r1 <- a[0]");
    row(
        "R14",
        "2x1 rdma-strict",
        "move a@1[0] <- x[0] bytes 8 flush @1 local put z@1[0] <- w[0] bytes 8 notify F[0] set 1 via 1 nb",
        "await F[0]@0 reached 1 acquire load r1 <- a[0]");
    row(
        "R15a",
        "2x1 rdma-strict",
        "move a@1[0] <- x[0] bytes 8 get y[0] <- b@1[0] bytes 8 put z@1[0] <- w[0] bytes 8 notify F[0] set 1 via 1 nb",
        "await F[0]@0 reached 1 acquire load r1 <- a[0]");
    row(
        "R15b",
        "2x1 rdma-strict",
        "move a@1[0] <- x[0] bytes 8 flush @1 remote put z@1[0] <- w[0] bytes 8 notify F[0] set 1 via 1 nb",
        "await F[0]@0 reached 1 acquire load r1 <- a[0]");
    row("R16a", "2x1 rdma-strict", "move y@1[0] <- x[0] bytes 8 move z[0] <- y@1[0] bytes 8");
    row("R16b", "2x1 rdma-strict", "move y@1[0] <- x[0] bytes 8 get z[0] <- y@1[0] bytes 8 via 1");
    row("R17a", "2x1 rdma-strict", "move y@1[0] <- x[0] bytes 8 move y@1[0] <- z[0] bytes 8");
    row(
        "R17b",
        "3x1 rdma-strict",
        "move y@1[0] <- x[0] bytes 8",
        "",
        "move y@1[0] <- z[0] bytes 8");
    row("R21", "3x1 rdma-strict", "atomic c@1[0] add 1", "", "atomic c@1[0] add 1");
    row("R22a", "2x1 rdma-strict", "atomic c@1[0] add 1", "atomic c@1[0] add 1");
    row("R23a", "2x1 rdma-multirail", "atomic c@1[0] add 1 via 0 atomic c@1[0] add 1 via 1");
    row("R24a", "2x1 rdma-strict", "atomic x[0] <- c@1[0] add 1 nb load r1 <- x[0]");
    row("R24b", "2x1 rdma-strict", "atomic x[0] <- c@1[0] add 1 load r1 <- x[0]");
    row(
        "R25b",
        "2x1 L2",
        "move a@1[0] <- x[0] bytes 8 signal F[0]@1 set 1 release",
        "await F[0]@0 reached 1 acquire load r1 <- a[0]");
    row("R27a", "2x1 rdma-strict", "get x[0] <- y@1[0] bytes 8 nb flush @1 local load r1 <- x[0]");
    row("R27b", "2x1 rdma-strict", "get x[0] <- y@1[0] bytes 8 load r1 <- x[0]");
    row("R28b", "2x1 rdma-strict", "store x[0] <- 1 put y@1[0] <- x[0] bytes 8");
    row(
        "R29a",
        "2x1 rdma-strict",
        "get z[0] <- y@1[0] bytes 8 nb fence put y@1[0] <- x[0] bytes 8 nb");
    row("R29b", "2x1 rdma-strict", "get z[0] <- y@1[0] bytes 8 put y@1[0] <- x[0] bytes 8 nb");
    row(
        "R30a",
        "2x1 rdma-strict",
        "put a@1[0] <- x[0] bytes 8 nb fence put z@1[0] <- x[0] bytes 8 notify F[0] set 1 nb",
        "await F[0]@0 reached 1 acquire load r1 <- a[0]");
    row(
        "R30b",
        "2x1 rdma-strict",
        "put a@1[0] <- x[0] bytes 8 nb fence put z@1[0] <- x[0] bytes 8 notify F[0] set 1 nb",
        "load r1 <- a[0] await F[0]@0 reached 1 acquire");
    row(
        "R31a",
        "2x1 rdma-strict",
        "put a@1[0] <- x[0] bytes 8 notify F[0] add 1 nb",
        "await F[0]@0 reached 1 acquire load r1 <- a[0]");
    row(
        "R31b",
        "2x1 rdma-strict",
        "put a@1[0] <- x[0] bytes 8 nb fence atomic c@1[0] set 1",
        "load r1 <- c[0]");
    row(
        "R32a",
        "2x1 rdma-strict",
        "put a@1[0] <- x[0] bytes 8 quiet signal F[0]@1 set 1 release",
        "await F[0]@0 reached 1 acquire load r1 <- a[0]");
    row(
        "R32b",
        "2x1 rdma-strict",
        "put a@1[0] <- x[0] bytes 8 quiet signal F[0]@1 set 1 release",
        "load r1 <- a[0]");
    row(
        "R33a",
        "2x1 rdma-strict",
        "put y@1[0] <- x[0] bytes 8 via 1 nb quiet via 1 store x[0] <- 1");
    row("R33b", "2x1 rdma-strict", "put y@1[0] <- x[0] bytes 8 via 1 nb quiet store x[0] <- 1");
    row(
        "R34a",
        "2x1 rdma-strict",
        "move a@1[0] <- x[0] bytes 8 signal F[0]@1 set 1 release",
        "await F[0]@0 reached 1 acquire load r1 <- a[0]");
    LEFT_OUT.put(
        "the text has no store that a request does not stand behind: lowering fences before every post",
        List.of("R1b", "R28a"));
    LEFT_OUT.put(
        "no operation of the text asks for a request that waits for earlier reads of its queue",
        List.of("R5a", "R5b", "R6b", "R6d", "R6e"));
    LEFT_OUT.put("relaxed regions are a profile, not a property of one put", List.of("R7b"));
    LEFT_OUT.put(
        "a slot has one source rank, and a sum tells two sources apart", List.of("R13a", "R13b"));
    LEFT_OUT.put(
        "gets of one queue are in order here, which the catalogue leaves open",
        List.of("R18a", "R18b"));
    LEFT_OUT.put(
        "transfers are judged whole: no profile has torn or block-ordered messages",
        List.of("R19a", "R19b", "R20a", "R20b"));
    LEFT_OUT.put(
        "no profile makes atomics of two places atomic with each other", List.of("R22b", "R23b"));
    LEFT_OUT.put("lowering makes the interface consistent behind every acquire", List.of("R25a"));
    LEFT_OUT.put(
        "an await looks at own memory, so that a peer GPU cannot wait there",
        List.of("R26a", "R26b"));
    LEFT_OUT.put(
        "no profile has a transport that delivers each message by itself", List.of("R34b"));
  }

  static Stream<RdmaRow> rows() {
    return RdmaRows.ALL.stream().filter(row -> PROGRAMS.containsKey(row.name()));
  }

  private static String text(String... parts) {
    StringBuilder text = new StringBuilder("form row signal F[1]\n");
    for (String place : List.of("x", "y", "z", "w", "a", "b", "c")) {
      text.append("scratch %s[8]\n".formatted(place));
    }
    text.append("lane main: host {\n");
    for (int r = 1; r < parts.length; r++) {
      text.append("if r == %d { %s }\n".formatted(r - 1, parts[r].isEmpty() ? "sync" : parts[r]));
    }
    return text.append("}\n").toString();
  }

  @ParameterizedTest
  @MethodSource("rows")
  void isJudgedAsByTheAxioms(RdmaRow row) {
    String[] parts = PROGRAMS.get(row.name());
    String[] machine = parts[0].split(" ");
    Topology topology = Topology.parse(machine[0]);
    Program program = Program.bind(Parser.parse(text(parts)), topology.world(), Map.of());
    Simulation simulation =
        new Simulation(
            program,
            topology,
            Lowering.lower(program.form(), topology.kinds()),
            new Simulation.Terms(Profile.parse(machine[1]), 1, Detectors.ALL, Timeouts.NEVER));
    for (boolean full : new boolean[] {false, true}) {
      Endings endings = Endings.systematic(simulation, full, s -> "");
      assertThat(endings.cut).isFalse();
      assertThat(endings.found.isEmpty())
          .as("%s: %s; found %s", row.name(), row.shape(), endings.found)
          .isEqualTo(row.verdict() == Verdict.FORBIDDEN);
    }
  }

  @Test
  void everyRowIsAProgramOrLeftOutForAReason() {
    List<String> names = new ArrayList<>(PROGRAMS.keySet());
    LEFT_OUT.values().forEach(names::addAll);
    assertThat(names)
        .containsExactlyInAnyOrderElementsOf(RdmaRows.ALL.stream().map(RdmaRow::name).toList());
  }
}
