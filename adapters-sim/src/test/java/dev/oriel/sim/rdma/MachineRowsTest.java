package dev.oriel.sim.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.lowering.FormLowering;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.machine.settings.DetectorSet;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import dev.oriel.sim.rdma.RdmaRow.Verdict;
import dev.oriel.sim.replay.TimeoutPolicy;
import dev.oriel.sim.rows.RowRunner;
import dev.oriel.sim.rows.StepEdits;
import dev.oriel.sim.search.Endings;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The rows of the catalogue as programs. For an allowed row the machine has a finding (it reports
 * one before it shows a stale value), for a forbidden row none.
 */
@SuppressWarnings({"NullAway", "StringSplitter"})
class MachineRowsTest {
  private static final Map<String, String[]> PROGRAMS = new LinkedHashMap<>();

  /** Lowering fences before every post: without that fence, a store of the text is a weak one. */
  private static final String WEAKLY = "2x1 rdma-strict | drop fence sys";

  /** Writes placed by interfaces can be polled. */
  private static final String WHOLE = "2x1 rdma-strict,whole=1";

  private static final String TWO_MOVES = "move a@1[0] <- x[0] bytes 8 move b@1[0] <- x[0] bytes 8";
  private static final String SECOND = "wait b[0] == 1 acquire load r1 <- a[0]";

  private static final String TWO_WORDS =
      "store x[0] <- 1 store x[8] <- 1 put a@1[0] <- x[0] bytes 16 nb";
  private static final String LAST_WORD = "wait a[8] == 1 acquire load r1 <- a[0]";

  private static final String SEEN_BACKWARDS =
      "load r1 <- a[0] load r2 <- b[0] check r1 <= r2 else 1";

  private static final String[] GET_AND_PUT = {
    "store x[0] <- 1 await F[2]@1 reached 1 acquire "
        + "get y[0] <- w@1[0] bytes 8 nb put z@1[0] <- x[0] bytes 8 notify F[0] set 1 nb "
        + "store x[0] <- 2 await F[1]@1 reached 1 acquire read sent <- F[1]@1 relaxed "
        + "load got <- y[0] check 10 * sent + got != 20 else 1",
    "store w[0] <- 1 signal F[2]@0 set 1 release "
        + "await F[0]@0 reached 1 acquire load sent <- z[0] signal F[1]@0 set sent release"
  };

  private static final String TO_THE_THIRD =
      "move a@2[0] <- x[0] bytes 8 signal F[0]@2 set 1 release";
  private static final String ON_TO_THE_LAST =
      "await F[0]@0 reached 1 acquire signal F[0]@3 set 1 release";
  private static final String FROM_THE_THIRD =
      "await F[0]@2 reached 1 acquire move b[0] <- a@2[0] bytes 8";

  private static final String WARPS =
      """
      form warps
      scratch src[8]
      scratch box[16]
      signal F[1]
      lane warp(g < 2): host {
        if r == 0 {
          move box@1[8 * g] <- src[0] bytes 8
          signal F[0]@1 add 1 release
        }
      }
      lane reader: host {
        if r == 1 {
          await F[0]@0 >= 2 acquire
          load r1 <- box[0]
          load r2 <- box[8]
        }
      }
      """;

  private static final String LINES =
      """
      form lines
      scratch src[240]
      scratch ll[256]
      scratch got[128]
      lane main: host {
        if r == 0 { move ll@1[0] line128(1) <- src[0] bytes 240 }
        if r == 1 { move got[0] <- ll[128] line128(1) bytes 8 %s }
      }
      """;

  /**
   * @param machine the world and the profile, then edits of the lowered program, each after a bar;
   *     and {@code values} if only findings of the program itself count
   */
  private static void row(String name, String machine, String... ranks) {
    String[] all = new String[ranks.length + 1];
    all[0] = machine;
    System.arraycopy(ranks, 0, all, 1, ranks.length);
    PROGRAMS.put(name, all);
  }

  static {
    row("R1a", "2x1 rdma-strict", "store x[0] <- 1 put y@1[0] <- x[0] bytes 8");
    row("R1b", WEAKLY, "store x[0] <- 1 put y@1[0] <- x[0] bytes 8");
    row("R2", "2x1 rdma-strict", "move y@1[0] <- x[0] bytes 8 store x[0] <- 1");
    row("R3", "2x1 rdma-strict", "move y@1[0] <- x[0] bytes 8 flush @1 local store x[0] <- 1");
    row("R4a", "2x1 rdma-strict", "get x[0] <- y@1[0] bytes 8 nb load r1 <- x[0]");
    row("R4b", "2x1 rdma-strict", "get x[0] <- y@1[0] bytes 8 load r1 <- x[0]");
    row("R5a", "2x1 rdma-strict | values", GET_AND_PUT);
    row("R5b", "2x1 rdma-strict | values | fence write z", GET_AND_PUT);
    row("R6a", "2x1 rdma-strict", "get x[0] <- y@1[0] bytes 8 nb put z@1[0] <- x[0] bytes 8 nb");
    row(
        "R6b",
        "2x1 rdma-strict | fence write z",
        "get x[0] <- y@1[0] bytes 8 nb put z@1[0] <- x[0] bytes 8 nb");
    row("R6c", "2x1 rdma-strict", "get x[0] <- y@1[0] bytes 8 put z@1[0] <- x[0] bytes 8 nb");
    row(
        "R6d",
        "2x1 rdma-strict | fence write z",
        "get x[0] <- y@1[0] bytes 8 nb put z@1[0] <- x[0] bytes 8 nb put w@1[0] <- x[0] bytes 8 nb");
    row(
        "R6e",
        "2x1 rdma-strict",
        "get x[0] <- y@1[0] bytes 8 nb put z@1[0] <- x[0] bytes 8 nb put w@1[0] <- x[0] bytes 8 nb");
    row("R7a", WHOLE, "store x[0] <- 1 " + TWO_MOVES, SECOND);
    row("R7b", WHOLE, "store x[0] <- 1 " + TWO_MOVES.replace("move b", "put b") + " nb", SECOND);
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
    row("R13a", "2x1 rdma-strict", WARPS.replace(">= 2", ">= 1"));
    row("R13b", "2x1 rdma-strict", WARPS);
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
    row(
        "R18a",
        "3x1 rdma-strict",
        "atomic a[0] <- c@1[0] fetch nb atomic b[0] <- c@1[0] fetch " + SEEN_BACKWARDS,
        "",
        "atomic c@1[0] add 1");
    row(
        "R18b",
        "3x1 rdma-strict",
        "atomic a[0] <- c@1[0] fetch nb fence atomic b[0] <- c@1[0] fetch " + SEEN_BACKWARDS,
        "",
        "atomic c@1[0] add 1");
    row("R19a", "2x1 rdma-strict", TWO_WORDS, LAST_WORD);
    row("R19b", WHOLE, TWO_WORDS, LAST_WORD);
    row("R19c", WHOLE, TWO_WORDS, "wait a[0] == 1 acquire load r1 <- a[0]");
    row("R19d", WHOLE, TWO_WORDS, "wait a[0] == 1 acquire load r1 <- a[8]");
    row("R20a", "2x1 rdma-strict", LINES.formatted("load r1 <- ll[0]"));
    row("R20b", "2x1 rdma-strict", LINES.formatted(""));
    row("R21", "3x1 rdma-strict", "atomic c@1[0] add 1", "", "atomic c@1[0] add 1");
    row("R22a", "2x1 rdma-strict", "atomic c@1[0] add 1", "atomic c@1[0] add 1");
    row("R22b", "2x1 rdma-strict,platform=1", "atomic c@1[0] add 1", "atomic c@1[0] add 1");
    row("R23a", "2x1 rdma-multirail", "atomic c@1[0] add 1 via 0 atomic c@1[0] add 1 via 1");
    row(
        "R23b",
        "2x1 rdma-multirail,platform=1",
        "atomic c@1[0] add 1 via 0 atomic c@1[0] add 1 via 1");
    row("R24a", "2x1 rdma-strict", "atomic x[0] <- c@1[0] add 1 nb load r1 <- x[0]");
    row("R24b", "2x1 rdma-strict", "atomic x[0] <- c@1[0] add 1 load r1 <- x[0]");
    row(
        "R25a",
        "2x1 rdma-strict | drop visibility fence",
        "move a@1[0] <- x[0] bytes 8 signal F[0]@1 set 1 release",
        "await F[0]@0 reached 1 acquire load r1 <- a[0]");
    row(
        "R25b",
        "2x1 L2",
        "move a@1[0] <- x[0] bytes 8 signal F[0]@1 set 1 release",
        "await F[0]@0 reached 1 acquire load r1 <- a[0]");
    row("R26a", "2x2 L2 | drop visibility fence", TO_THE_THIRD, "", ON_TO_THE_LAST, FROM_THE_THIRD);
    row(
        "R26b",
        "2x2 L2+all | drop visibility fence",
        TO_THE_THIRD,
        "",
        ON_TO_THE_LAST,
        FROM_THE_THIRD);
    row("R27a", "2x1 rdma-strict", "get x[0] <- y@1[0] bytes 8 nb flush @1 local load r1 <- x[0]");
    row("R27b", "2x1 rdma-strict", "get x[0] <- y@1[0] bytes 8 load r1 <- x[0]");
    row("R28a", WEAKLY, "store x[0] <- 1 put y@1[0] <- x[0] bytes 8");
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
    row("R34a", WHOLE, "store x[0] <- 1 " + TWO_MOVES, SECOND);
    row("R34b", "2x1 L3,whole=1", "store x[0] <- 1 " + TWO_MOVES, SECOND);
  }

  static Stream<RdmaRow> rows() {
    return RdmaRowCatalogue.ALL.stream().filter(row -> PROGRAMS.containsKey(row.name()));
  }

  private static String text(String... parts) {
    if (parts[1].startsWith("form ")) {
      return parts[1];
    }
    StringBuilder text = new StringBuilder("form row signal F[3]\n");
    for (String place : List.of("x", "y", "z", "w", "a", "b", "c")) {
      text.append("scratch %s[16]\n".formatted(place));
    }
    text.append("lane main: host {\n");
    for (int r = 1; r < parts.length; r++) {
      text.append("if r == %d { %s }\n".formatted(r - 1, parts[r].isEmpty() ? "sync" : parts[r]));
    }
    return text.append("}\n").toString();
  }

  @ParameterizedTest
  @MethodSource("rows")
  void everyProgramHasTheVerdictOfTheAxioms(RdmaRow row) {
    String[] parts = PROGRAMS.get(row.name());
    List<String> terms = List.of(parts[0].split(" \\| "));
    String[] machine = terms.getFirst().split(" ");
    boolean values = terms.contains("values");
    Topology topology = Topology.parse(machine[0]);
    Program program = Program.bind(FormParser.parse(text(parts)), topology.world(), Map.of());
    Simulation simulation =
        new Simulation(
            program,
            topology,
            StepEdits.apply(FormLowering.lower(program.form(), topology.kinds()), terms),
            new ExecutionSettings(
                RowRunner.profile(machine[1]),
                1,
                values ? DetectorSet.VALUES : DetectorSet.ALL,
                TimeoutPolicy.NEVER));
    // Without the detectors only every order of every step shows every value.
    for (boolean full : values ? new boolean[] {true} : new boolean[] {false, true}) {
      Endings endings = Endings.systematic(simulation, full, s -> "");
      assertThat(endings.cut).isFalse();
      assertThat(endings.found.isEmpty())
          .as("%s: %s; found %s", row.name(), row.shape(), endings.found)
          .isEqualTo(row.verdict() == Verdict.FORBIDDEN);
    }
  }

  @Test
  void everyRowIsAProgram() {
    assertThat(PROGRAMS.keySet())
        .containsExactlyInAnyOrderElementsOf(
            RdmaRowCatalogue.ALL.stream().map(RdmaRow::name).toList());
  }
}
