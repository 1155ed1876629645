package dev.oriel.sim.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Verdict;
import dev.oriel.sim.machine.terms.Profile;
import dev.oriel.sim.oracle.EngineMutants.EngineMutant;
import dev.oriel.sim.search.Budget;
import dev.oriel.sim.search.CheckReport;
import dev.oriel.sim.search.Checker;
import dev.oriel.sim.search.Strategy;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Packets whose flag recurs at one place. A read may take the packet of the launch before, which
 * only an order of every step shows: a search of synchronisation does not call itself complete.
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
  void aStalePacketIsFoundOrNothingIsCalledComplete(String format, String flag, int sender) {
    Program program = program(format, flag, sender);
    assertThat(explore(checker(Strategy.FULL), program).verdict().violation())
        .hasValueSatisfying(found -> assertThat(found.kind()).isEqualTo("value"));
    Checker some = checker(Strategy.SYNCHRONISATION);
    for (Checker checker : List.of(some, some.anyLaunches())) {
      Verdict verdict = explore(checker, program).verdict();
      assertThat(verdict.violation().isPresent() || recur(verdict)).as("%s", verdict).isTrue();
    }
  }

  @Test
  void anOrderOfSynchronisationMayNotShowIt() {
    Verdict verdict = explore(checker(Strategy.SYNCHRONISATION), program("pkt8", "1", 0)).verdict();
    assertThat(verdict.violation()).isEmpty();
    assertThat(recur(verdict)).isTrue();
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
    assertThat(verdict.violation().isPresent() || recur(verdict)).as("%s", verdict).isTrue();
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

  /** The other guard's absence shows in {@link #aPartOfAPacketIsNoPacketOfItsOwn}. */
  @Test
  void withoutItsGuardTheSearchCallsItselfComplete() throws Exception {
    assertThat(new LaunchBattery().apply("1x2\n" + TWICE)).isEqualTo("open");
    EngineMutant mutant =
        new EngineMutant(
            "DataWords", "recurs |= !recurs && flag != 0 && holds(s, word, flag);", "");
    assertThat(MutantLoader.battery(LAUNCHES, mutant).apply("1x2\n" + TWICE)).isEqualTo("closed");
  }

  private static boolean recur(Verdict verdict) {
    return verdict.bounds().stream().anyMatch(bound -> bound.startsWith("packets: a flag came"));
  }

  private static Program program(String format, String flag, int sender) {
    String text = HANDED.replace("FORMAT", format).replace("FLAG", flag);
    String swapped =
        sender == 0
            ? text
            : text.replace("box@1", "box@0")
                .replace("OK[0]@1", "OK[0]@x")
                .replace("OK[0]@0", "OK[0]@1")
                .replace("OK[0]@x", "OK[0]@0")
                .replace("r == 0", "r == 1")
                .replace("a@0[0] bytes 8 * r", "a@1[0] bytes 8 * (1 - r)");
    return Program.bind(FormParser.parse(swapped), 2, Map.of());
  }

  private static Checker checker(Strategy strategy) {
    return new Checker(strategy, SOME, 1, Checker.strict(Profile.L2, 2));
  }

  private static CheckReport explore(Checker checker, Program program) {
    return checker.explore(program, Topology.parse("1x2"));
  }
}
