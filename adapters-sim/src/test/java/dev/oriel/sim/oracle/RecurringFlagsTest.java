package dev.oriel.sim.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Verdict;
import dev.oriel.sim.machine.finding.Finding;
import dev.oriel.sim.machine.settings.DetectorSet;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.oracle.EngineMutants.EngineMutant;
import dev.oriel.sim.search.Budget;
import dev.oriel.sim.search.CheckReport;
import dev.oriel.sim.search.Checker;
import dev.oriel.sim.search.Strategy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Packets whose flag comes to one place again. A read may take the packet of the launch before: a
 * race, unless the program orders every packet with the reads of the one before it. Where races are
 * not looked for, and where only a part of a packet is written, no search calls itself complete.
 */
class RecurringFlagsTest {
  private static final String HANDED =
      """
      form handed
      input a[8]
      scratch box[64]
      output x[8]
      signal OK[1]
      ensure x[0] = a@0[0] bytes 8 * r
      lane main: sm(32) {
        if r == 0 {
          move box@1[0] FORMAT(FLAG) <- a[0] bytes 8
          await OK[0]@1 reached epoch acquire
        } else {
          move x[0] <- box[0] FORMAT(FLAG) bytes 8
          sync
          signal OK[0]@0 set epoch release
        }
      }
      """;

  private static final MutantLoader.Engine LAUNCHES =
      new MutantLoader.Engine(
          "dev.oriel.sim.machine",
          LaunchBattery.class,
          List.of("dev.oriel.sim.code.", "dev.oriel.sim.machine.", "dev.oriel.sim.search."));

  private static final Budget SOME = new Budget(1, 100_000, 10_000_000, 400_000_000);

  @ParameterizedTest
  @CsvSource({"pkt8, 1, 0", "pkt8, 1, 1", "pkt16, 1, 0", "pkt16, 1, 1", "pkt8, 0, 0", "pkt8, 0, 1"})
  void aStalePacketIsFound(String format, String flag, int sender) {
    Program program = program(format, flag, sender);
    assertThat(explore(checker(Strategy.FULL), program).verdict().violation()).isPresent();
    Checker some = checker(Strategy.SYNCHRONISATION);
    for (Checker checker : List.of(some, some.anyLaunches())) {
      assertThat(explore(checker, program).verdict().violation())
          .hasValueSatisfying(found -> assertThat(found.kind()).isIn("race", "value"));
    }
  }

  /** Two searches of all orders, neither of which looks for races or covers both contents. */
  @ParameterizedTest
  @EnumSource(names = {"FULL", "SYNCHRONISATION"})
  void whereRacesAreNotLookedForNoSearchIsComplete(Strategy strategy) {
    ExecutionSettings values =
        Checker.strict(Profile.L2, 2).looking(DetectorSet.ALL.without(Finding.Kind.RACE));
    Verdict verdict =
        explore(new Checker(strategy, SOME, 1, values), program("pkt8", "1", 0)).verdict();
    assertThat(verdict.violation().isPresent() || recur(verdict)).as("%s", verdict).isTrue();
  }

  /** The reader's last packet is known to have been taken before the next one with its flag. */
  @Test
  void aFlagForEverIsNoRaceWhereSignalsOrderThePackets() {
    String text =
        """
        form ordered
        input a[8]
        scratch box[64]
        output x[8]
        signal OK[1]
        signal UP[1]
        ensure x[0] = a@0[0] bytes 8
        lane main: sm(32) {
          if r == 0 {
            move box@1[0] pkt8(1) <- a[0] bytes 8
            sync
            signal UP[0]@1 set epoch release
            move x[0] <- a[0] bytes 8
            await OK[0]@1 reached epoch acquire
          } else {
            await UP[0]@0 reached epoch acquire
            move x[0] <- box[0] pkt8(1) bytes 8
            sync
            signal OK[0]@0 set epoch release
          }
        }
        """;
    Program program = Program.bind(FormParser.parse(text), 2, Map.of());
    CheckReport report = explore(checker(Strategy.SYNCHRONISATION).anyLaunches(), program);
    assertThat(report.verdict().violation()).isEmpty();
    assertThat(report.verdict().bounds()).isEmpty();
    assertThat(report.closed()).as("%s", report).isTrue();
  }

  /** A plain store into a packet whose flag it leaves, in no order with the move that takes it. */
  @Test
  void aPartOfAPacketIsNoPacketOfItsOwn() {
    String text =
        """
        form part
        input a[8]
        input b[8]
        scratch box[64]
        output x[8]
        ensure x[0] = a@1[0] bytes 8 * (1 - r)
        lane main: sm(32) {
          if r == 1 {
            move box@0[0] pkt8(epoch) <- a[0] bytes 8
            sync
            move box@0[0] <- b[0] bytes 4
          } else {
            move x[0] <- box[0] pkt8(epoch) bytes 8
          }
        }
        """;
    Program program = Program.bind(FormParser.parse(text), 2, Map.of());
    assertThat(explore(checker(Strategy.FULL), program).verdict().violation()).isPresent();
    Verdict verdict = explore(checker(Strategy.SYNCHRONISATION), program).verdict();
    assertThat(verdict.violation()).isPresent();
  }

  /**
   * The parts are ordered with the read by a signal. Their own order is not looked at: the search
   * says so.
   */
  @Test
  void partsOfAPacketAreABound() {
    String text =
        """
        form parts
        input a[8]
        input b[8]
        scratch box[64]
        output x[8]
        signal UP[1]
        ensure x[0] = b@1[0] bytes 4 * (1 - r)
        lane main: sm(32) {
          if r == 1 {
            move box@0[0] pkt8(epoch) <- a[0] bytes 8
            sync
            move box@0[0] <- b[0] bytes 4
            sync
            signal UP[0]@0 set epoch release
          } else {
            await UP[0]@1 reached epoch acquire
            move x[0] <- box[0] pkt8(epoch) bytes 8
          }
        }
        """;
    Program program = Program.bind(FormParser.parse(text), 2, Map.of());
    for (Strategy strategy : List.of(Strategy.FULL, Strategy.SYNCHRONISATION)) {
      Budget one = new Budget(1, 100_000, 10_000_000, 400_000_000);
      Verdict verdict =
          explore(new Checker(strategy, one, 1, Checker.strict(Profile.L2, 1)), program).verdict();
      assertThat(verdict.violation()).isEmpty();
      assertThat(recur(verdict)).as("%s", verdict).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void flagsOfTheirOwnAreLookedAtCompletely(int sender) {
    Program program = program("pkt8", "epoch", sender);
    for (Strategy strategy : List.of(Strategy.FULL, Strategy.SYNCHRONISATION)) {
      CheckReport report = explore(checker(strategy).anyLaunches(), program);
      assertThat(report.verdict().violation()).isEmpty();
      assertThat(report.closed()).as("%s", report).isTrue();
    }
  }

  /** Rank 1 hands over twice, in no order with the one move that takes it. */
  private static final String TWICE =
      """
      form twice
      input a[8]
      input b[8]
      scratch box[64]
      output x[8]
      signal OK[1]
      ensure x[0] = a@1[0] bytes 8 * (1 - r)
      lane main: sm(32) {
        if r == 1 {
          move box@0[0] pkt8(epoch) <- a[0] bytes 8
          sync
          move box@0[0] pkt8(epoch) <- b[0] bytes 8
          await OK[0]@0 reached epoch acquire
        } else {
          move x[0] <- box[0] pkt8(epoch) bytes 8
          sync
          signal OK[0]@1 set epoch release
        }
      }
      """;

  /**
   * One half finds the second packet after the read, the other one the read after both packets. The
   * one execution that is looked at of each program gives the result that the program ensures.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "WordWrites | if (packet) {",
        "SyncWords | if (packet && races && found + 1 < count(s, word)) {"
      })
  void withoutEitherHalfOfTheDetectorTheSearchMissesRaces(String type, String guard)
      throws Exception {
    UnaryOperator<String> without =
        MutantLoader.battery(LAUNCHES, new EngineMutant(type, guard, "if (false) {"));
    List<String> answers = new ArrayList<>();
    String second = swapped(TWICE).replace("ensure x[0] = a", "ensure x[0] = b");
    for (String text : List.of(TWICE, second)) {
      assertThat(new LaunchBattery().apply("1x2\n" + text)).isEqualTo("RACE 1");
      answers.add(without.apply("1x2\n" + text));
    }
    assertThat(answers).contains("closed");
  }

  private static boolean recur(Verdict verdict) {
    return verdict.bounds().stream().anyMatch(bound -> bound.startsWith("packets: a flag came"));
  }

  private static Program program(String format, String flag, int sender) {
    String text = HANDED.replace("FORMAT", format).replace("FLAG", flag);
    return Program.bind(FormParser.parse(sender == 0 ? text : swapped(text)), 2, Map.of());
  }

  /** The same program with rank 0 and rank 1 exchanged. */
  private static String swapped(String text) {
    String swapped = text;
    for (List<String> pair :
        List.of(
            List.of("@0", "@1"),
            List.of("r == 0", "r == 1"),
            List.of("bytes 8 * r", "bytes 8 * (1 - r)"))) {
      swapped =
          swapped
              .replace(pair.get(0), "SWAPPED")
              .replace(pair.get(1), pair.get(0))
              .replace("SWAPPED", pair.get(1));
    }
    return swapped;
  }

  private static Checker checker(Strategy strategy) {
    return new Checker(strategy, SOME, 1, Checker.strict(Profile.L2, 2));
  }

  private static CheckReport explore(Checker checker, Program program) {
    return checker.explore(program, Topology.parse("1x2"));
  }
}
