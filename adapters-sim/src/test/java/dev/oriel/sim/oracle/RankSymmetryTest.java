package dev.oriel.sim.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.measure.Thorough;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.machine.settings.DetectorSet;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.replay.FaultPlan;
import dev.oriel.sim.replay.TimeoutPolicy;
import dev.oriel.sim.search.SymmetrySearch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Symmetric ranks may be renamed, and only these. */
class RankSymmetryTest {
  private static final long SEED = Long.getLong("oriel.symmetry.seed", 1);
  private static final int PROGRAMS =
      Integer.getInteger("oriel.symmetry.programs", Thorough.count(8, 30));

  private static Simulation simulation(
      String text, String shape, Profile profile, DetectorSet detectors, int launches) {
    return PermutationWalks.simulation(
        text,
        shape,
        Map.of(),
        new ExecutionSettings(profile, launches, detectors, TimeoutPolicy.NEVER));
  }

  private static Simulation simulation(String text, String shape) {
    return simulation(text, shape, Profile.L2, DetectorSet.ALL, 1);
  }

  /** Every rank does the same, to its neighbours on a ring or to all others. */
  private static String alike(long seed, boolean all) {
    Random random = new Random(seed);
    StringBuilder text =
        new StringBuilder("form alike\ninput in[16]\noutput out[16]\nscratch box[16]\n");
    text.append("scratch row[n * 8]\nscratch pk[n * 16]\nscratch w[16]\n");
    text.append("signal S[3]\nsignal C[2]\nsignal R[n]\n");
    if (random.nextInt(3) == 0) {
      text.append(
          all
              ? random.nextBoolean()
                  ? "ensure out[0] = sum fp32 in fp32 (for p < n: in@p[0]) bytes 4\n"
                  : "ensure out[8] = in@r[8] bytes 8\n"
              : "ensure out[0] = in@((r - 1) % n)[0] bytes 8\n");
    }
    boolean lanes = random.nextInt(4) == 0;
    text.append(lanes ? "lane main(g < 2): sm(32) {\n" : "lane main: sm(32) {\n");
    int rounds = 1 + random.nextInt(lanes ? 2 : 3);
    for (int round = 0; round < rounds; round++) {
      String to = all ? "peers" : random.nextInt(3) == 0 ? "((r - 1) % n)" : "((r + 1) % n)";
      String from = all ? "peers" : to.contains("-") ? "((r + 1) % n)" : "((r - 1) % n)";
      String order = random.nextInt(5) == 0 ? "relaxed" : "release";
      String own = lanes ? "g" : String.valueOf(round % 2);
      switch (random.nextInt(12)) {
        case 0 -> text.append("  move out[8] <- box[%d] bytes 8\n".formatted(8 * (round % 2)));
        case 1 -> text.append("  move box[0] <- in[8] bytes 8\n");
        case 2 -> {
          if (!all) {
            text.append("  move out@%s[0] <- in[0] bytes 8\n".formatted(to));
          }
        }
        case 3 -> {
          if (!all) {
            text.append("  flush @%s local\n".formatted(to));
          }
        }
        case 4 -> text.append("  read x%d <- S[0]@%s acquire\n".formatted(round, all ? "r" : from));
        case 5 -> text.append("  move row@%s[r * 8] <- in[0] bytes 4\n".formatted(to));
        case 6 -> text.append(packets(all, to, from));
        case 7 ->
            text.append("  move out[0] <- sum fp32 in fp32 (for p < n: row[p * 8]) bytes 4\n");
        case 8 -> text.append("  atomic w[%d] add 1\n".formatted(8 * (round % 2)));
        case 9 -> text.append("  store w[8] <- 1 relaxed\n");
        case 10 -> text.append("  signal R[r]@%s set epoch %s\n".formatted(to, order));
        default -> {}
      }
      if (random.nextInt(6) == 0) {
        text.append("  signal C[0]@%s add 1 %s\n".formatted(all ? "all" : to, order));
        text.append("  await sum C[0]@all reached 1 acquire\n");
      } else if (random.nextInt(8) > 0) {
        text.append("  signal S[%s]@%s set epoch %s\n".formatted(own, to, order));
        if (random.nextInt(8) > 0) {
          text.append("  await S[%s]@%s reached epoch acquire\n".formatted(own, from));
        }
      }
    }
    return text.append("}\n").toString();
  }

  /** Packets of every rank to some ranks, taken one by one or all at once and added up. */
  private static String packets(boolean all, String to, String from) {
    String send =
        "  move pk@%s[r * 16] pkt16(nz32(epoch)) <- in[0] bytes 4\n".formatted(all ? "all" : to);
    String sum =
        "  move out[0] <- sum fp32 in fp32 (for p < n: pk[p * 16] pkt16(nz32(epoch))) bytes 4\n";
    String one =
        "  move out[8] <- pk[%s * 16] pkt16(nz32(epoch)) bytes 4\n".formatted(all ? "r" : from);
    return send + (all ? sum : one);
  }

  @Test
  void theReportNamesTheMemoryThatIsTooLarge() {
    String text = "form f scratch s[36000] lane main: sm(32) { sync }";
    assertThat(simulation(text, "1x2").symmetries())
        .endsWith("after the last: bytes=72000, fillings=2, product=144000, max=131072");
  }

  private record Drawn(String text, Simulation simulation) {
    boolean has(String what) {
      return text.contains(what) && simulation.renamings() > 0;
    }
  }

  private static List<Drawn> draw(String shape, Profile profile, DetectorSet detectors) {
    List<Drawn> drawn = new ArrayList<>();
    for (long seed = SEED << 20; drawn.size() < PROGRAMS; seed++) {
      String text = alike(seed, seed % 3 == 0);
      try {
        drawn.add(new Drawn(text, simulation(text, shape, profile, detectors, 1)));
      } catch (ProgramException refused) {
        // Another is drawn in its place.
      }
    }
    return drawn;
  }

  /** If every rank takes another's part, states are equal up to renaming. */
  @ParameterizedTest
  @CsvSource({"1x2, L2", "1x3, L2", "3x1, L2", "1x4, L2", "4x1, L2", "2x2, L2", "3x1, L3"})
  void renamedDecisionsLeadToRenamedStates(String shape, String profile) {
    int compared = 0;
    int renamings = 0;
    List<Drawn> drawn = draw(shape, Profile.parse(profile), DetectorSet.VALUES);
    for (Drawn one : drawn) {
      PermutationWalks.Result result =
          PermutationWalks.walk(one.text, shape, Map.of(), one.simulation.settings());
      assertThat(result.difference()).as(one.text).isEmpty();
      compared += result.states();
      renamings += result.renamings();
    }
    System.out.printf(
        "%s %s: seed=%d, renamings=%d, states compared=%d%n",
        shape, profile, SEED, renamings, compared);
    if (PROGRAMS >= 60) {
      for (String what : List.of("pkt16", "row@", "sum fp32", "atomic", "await sum", "R[r]")) {
        assertThat(drawn.stream().filter(d -> d.has(what)).count()).as(what).isPositive();
      }
    }
    assertThat(renamings).isGreaterThan(PROGRAMS / 2);
    assertThat(compared).isGreaterThan(10 * renamings);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1x2", "2x1", "1x3", "3x1"})
  void reducedSearchHasTheSameResults(String shape) {
    long whole = 0;
    long reduced = 0;
    int compared = 0;
    int large = 0;
    int faulty = 0;
    for (Drawn drawn : draw(shape, Profile.L2, DetectorSet.ALL)) {
      if (drawn.simulation.renamings() == 0) {
        continue;
      }
      for (boolean full : new boolean[] {true, false}) {
        SymmetrySearch all = SymmetrySearch.of(drawn.simulation, full, false);
        if (all.cut) {
          large++;
          continue;
        }
        SymmetrySearch one = SymmetrySearch.of(drawn.simulation, full, true);
        assertThat(one.cut).isFalse();
        // For simultaneous steps, which of two is first depends on names.
        assertThat(full ? one.found : one.found.isEmpty())
            .as("%s full=%s%n%s", shape, full, drawn.text)
            .isEqualTo(full ? all.found : all.found.isEmpty());
        assertThat(one.ends).as("%s full=%s%n%s", shape, full, drawn.text).isEqualTo(all.ends);
        whole += all.states;
        reduced += one.states;
        compared++;
        faulty += all.found.isEmpty() ? 0 : 1;
      }
    }
    System.out.printf(
        "%s: seed=%d, searches=%d, too large=%d, with findings=%d, states=%d, reduced to %d%n",
        shape, SEED, compared, large, faulty, whole, reduced);
    assertThat(reduced).isLessThan(whole);
    assertThat(faulty).isBetween(1, compared - 1);
  }

  /** Faults have to be symmetric as well; their consequences then are. */
  @ParameterizedTest
  @CsvSource({
    "crash rank=1 after=1, NEVER, 2 renamings",
    "crash rank=1 after=1, QUIESCENCE, 2 renamings",
    "crash rank=1 after=2, ANY, 2 renamings",
    "abort rank=0 after=2; crash rank=1 after=2, QUIESCENCE, none: ranks have other faults",
    "straggle rank=0 by=2; straggle rank=1 by=2; straggle rank=2 by=2, NEVER, 6 renamings",
    "none, ANY, 6 renamings"
  })
  void faultsAndTimeoutsAreRenamedToo(String faults, TimeoutPolicy timeouts, String renamings) {
    String text =
        """
        form f
        signal S[1]
        lane main: sm(32) {
          signal S[0]@peers set epoch release
          await S[0]@peers reached epoch acquire
        }
        """;
    ExecutionSettings settings =
        new ExecutionSettings(Profile.L2, 1, DetectorSet.ALL, timeouts)
            .with(FaultPlan.parse(faults));
    Simulation simulation = PermutationWalks.simulation(text, "1x3", Map.of(), settings);
    assertThat(simulation.symmetries()).startsWith(renamings);
    assertThat(PermutationWalks.walk(text, "1x3", Map.of(), settings).difference()).isEmpty();
    SymmetrySearch all = SymmetrySearch.of(simulation, true, false);
    SymmetrySearch one = SymmetrySearch.of(simulation, true, true);
    assertThat(all.cut).isFalse();
    assertThat(one.found).isEqualTo(all.found);
    assertThat(one.ends).isEqualTo(all.ends);
    assertThat(one.states <= all.states).isTrue();
  }

  /**
   * Shipped programs, small: walks of all that have renamings, and full searches of small ones. For
   * a program with more states than given, the test only checks that nothing is found.
   */
  @ParameterizedTest
  @CsvSource({
    "1x2, 12, 30000",
    "1x3, 12, 30000",
    "1x4, 8, 30000",
    "3x1, 10, 30000",
    "2x2, 4, 5000"
  })
  void shippedProgramsHaveTheSameResults(String shape, int atLeast, long states)
      throws IOException {
    int alike = 0;
    int compared = 0;
    for (Path file : shipped()) {
      if (!Thorough.takes(10, shape, file.getFileName())) {
        continue;
      }
      String text = Files.readString(file);
      Topology topology = Topology.parse(shape);
      Form form = FormParser.parse(text);
      Map<String, Long> sizes = new TreeMap<>();
      form.params().forEach(p -> sizes.put(p.name(), p.name().equals("B") ? 8L : 1L));
      ExecutionSettings settings =
          new ExecutionSettings(Profile.L2, 1, DetectorSet.ALL, TimeoutPolicy.NEVER);
      Simulation simulation;
      try {
        simulation = PermutationWalks.simulation(text, shape, sizes, settings);
      } catch (ProgramException mappedOnly) {
        assertThat(mappedOnly).hasMessageContaining("has no RDMA form");
        continue;
      }
      if (simulation.renamings() == 0) {
        continue;
      }
      alike++;
      PermutationWalks.Result walked = PermutationWalks.walk(text, shape, sizes, settings);
      assertThat(walked.difference()).as("%s %s", shape, file.getFileName()).isEmpty();
      int lanes = Program.bind(form, topology.world(), sizes).rank(0).lanes().size();
      if (lanes * topology.world() <= 4) {
        SymmetrySearch all = SymmetrySearch.of(simulation, true, false, states);
        SymmetrySearch one = SymmetrySearch.of(simulation, true, true, states);
        System.out.printf(
            "%s %s: %s, states=%d%s, reduced to %d%s%n",
            shape,
            form.name(),
            simulation.symmetries(),
            all.states,
            all.cut ? " and more" : "",
            one.states,
            one.cut ? " and more" : "");
        assertThat(one.found).isEqualTo(all.found);
        if (!all.cut) {
          compared++;
          assertThat(one.ends).isEqualTo(all.ends);
          assertThat(one.states).isLessThan(all.states);
        }
      }
    }
    assertThat(alike)
        .as("programs that have renamings")
        .isGreaterThanOrEqualTo(Thorough.count(1, atLeast));
    assertThat(compared).isGreaterThanOrEqualTo(Thorough.count(0, 1));
  }

  private static List<Path> shipped() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("../domain/src/main/resources/programs"))) {
      return files.sorted().toList();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "1x4;signal S[0]@((r + 1) % n) set epoch release;4 renamings of ranks, which are rotations",
        "4x1;signal S[0]@((r + 1) % n) set epoch release;4 renamings of ranks, which are rotations",
        "2x2;signal S[0]@((r + 1) % n) set epoch release;2 renamings of ranks, which are rotations",
        "1x3;signal S[0]@peers set epoch release;6 renamings of ranks",
        "1x5;signal S[0]@peers set epoch release;5 renamings of ranks, which are rotations",
        "1x3;signal S[0]@peers set epoch + r release;none: ",
        "1x3;signal S[r]@peers set epoch release;6 renamings of ranks",
        "1x3;signal S[r]@peers set epoch release | signal S[0]@peers set epoch release;2 renamings",
        "1x3;signal S[0]@0 set epoch release;2 renamings of ranks",
        "1x3;signal S[0]@peers set 1 release | await S[0]@peers reached 1 acquire;6 renamings",
        "1x3;signal S[0]@peers set 1 release | await S[0]@peers == 1 acquire;none: 'await",
        "1x3;signal S[0]@peers set 1 release | signal S[0]@peers set 0 release | await S[0]@peers reached 1 acquire;none: 'await",
        "1x3;signal S[0]@all add 1 release | await sum S[0]@all reached 1 acquire;6 renamings",
        "1x2;if r == 1 { store a[0] <- 1 };none: ",
        "1x3;store a[0] <- r;none: ",
        "1x3;move a[8 * r] <- a[0] bytes 8;2 renamings",
        "1x3;move a@((r + 1) % n)[8 * ((r + 1) % n)] <- a[8 * r] bytes 8;3 renamings",
        "1x3;load x <- a[0];6 renamings of ranks",
        "1x3;atomic a[0] add 1;6 renamings of ranks",
        "1x3;move a@all[8 * (n - 1 - r)] <- a[16] bytes 8;2 renamings",
        "1x3;atomic a@((r + 1) % n)[0] add 1;3 renamings"
      })
  void aVerdictNamesTheRenamings(String shape, String op, String text) {
    String form =
        "form f\nscratch a[64]\nsignal S[8]\nlane main: sm(32) {\n  %s\n}\n"
            .formatted(op.replace(" | ", "\n  "));
    assertThat(simulation(form, shape).symmetries()).startsWith(text);
  }

  /** Each multiple of 16 of a cell that is stored at once, and of its source, is preserved. */
  @ParameterizedTest
  @CsvSource({
    "L2, 0, acquire, 2",
    "L2, 8 * r, acquire, 2",
    "'L2,cells=1', 0, acquire, 2",
    "'L2,cells=1', 0, relaxed, 2",
    "'L2,cells=1', 16 * r, acquire, 2",
    "'L2,cells=1', 8 * r, acquire, 0"
  })
  void bytesStoredAtOnceAreRenamedTogether(String profile, String at, String order, int renamings) {
    String text =
        """
        form f
        scratch mine[64]
        scratch row[64]
        lane main: sm(32) {
          store mine[%s + 8] <- 1
          sync
          move row@((r + 1) %% n)[16] <- mine[%s] bytes 16
          wait row[24] == 1 %s
          load x <- row[16]
        }
        """
            .formatted(at, at, order);
    Simulation simulation = simulation(text, "1x3", Profile.parse(profile), DetectorSet.ALL, 1);
    assertThat(simulation.renamings()).isEqualTo(renamings);
    assertThat(PermutationWalks.walk(text, "1x3", Map.of(), simulation.settings()).difference())
        .isEmpty();
    SymmetrySearch all = SymmetrySearch.of(simulation, true, false);
    assertThat(all.cut).isFalse();
    assertThat(all.found.isEmpty())
        .isEqualTo(profile.equals("L2,cells=1") && order.equals("acquire") && renamings > 0);
    if (renamings > 0) {
      SymmetrySearch one = SymmetrySearch.of(simulation, true, true);
      assertThat(one.found).isEqualTo(all.found);
      assertThat(one.ends).isEqualTo(all.ends);
      assertThat(one.states).isLessThan(all.states);
    }
  }

  @Test
  void expectedOutputsOfRanksAreCompared() {
    String form = "form f\ninput in[8]\noutput out[8]\nensure out[0] = in@%s[0] bytes 8\n%s";
    String lane = "lane main: sm(32) { move out[0] <- in[0] bytes 8 }\n";
    assertThat(simulation(form.formatted("r", lane), "1x3").renamings()).isEqualTo(5);
    assertThat(simulation(form.formatted("((r + 1) % n)", lane), "1x3").renamings()).isEqualTo(2);
    assertThat(simulation(form.formatted("0", lane), "1x3").renamings()).isEqualTo(1);
    assertThat(simulation(form.formatted("0", lane), "1x2").symmetries())
        .isEqualTo("none: ranks 0 and 1 are to hold other results");
  }
}
