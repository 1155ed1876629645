package dev.oriel.sim.trial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Verdict;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.search.Budget;
import dev.oriel.sim.search.CheckReport;
import dev.oriel.sim.search.Checker;
import dev.oriel.sim.search.Strategy;
import dev.oriel.sim.search.TokenReplay;
import dev.oriel.sim.trial.CorrectPrograms.Correct;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Launch numbers that wrap: correct programs still hold, and mistakes are found there and nowhere
 * else.
 */
class WrapTest {
  private static final List<Long> STARTS =
      List.of((1L << 31) - 2, (1L << 32) - 2, Long.MAX_VALUE - 1, -2L);
  private static final Budget BUDGET = new Budget(1, 20_000, 100_000, 200_000_000);

  private static final String HAND_OVER =
      """
      form hand_over
      scratch src[8]
      scratch box[16]
      scratch mine[8]
      signal DATA[1]
      signal FREE[1]
      lane main: sm(32) {
        if r == 0 {
          store src[0] <- epoch
          sync
          SEND
          await FREE[0]@1 reached epoch acquire
        }
        if r == 1 {
          RECEIVE
          load x <- mine[0]
          check x == epoch else 1
          signal FREE[0]@0 set epoch release
        }
      }
      """;

  private static final String SIGNAL =
      HAND_OVER
          .replace(
              "SEND", "move box@1[0] <- src[0] bytes 8\n    signal DATA[0]@1 set epoch release")
          .replace(
              "RECEIVE",
              "await DATA[0]@0 reached epoch acquire\n    move mine[0] <- box[0] bytes 8\n    sync");

  private static final String PACKETS =
      HAND_OVER
          .replace("SEND", "move box@1[0] pkt8(nz32(epoch)) <- src[0] bytes 8")
          .replace("RECEIVE", "move mine[0] <- box[0] pkt8(nz32(epoch)) bytes 8\n    sync");

  static List<Correct> programs() {
    return CorrectPrograms.all();
  }

  private static CheckReport report(Program program, String world, long after) {
    return new Checker(
            Strategy.SYNCHRONISATION, BUDGET, 1, Checker.strict(Profile.L2, 3).after(after))
        .explore(program, Topology.parse(world));
  }

  private static Verdict verdict(String text, String world, long after) {
    Program program = Program.bind(FormParser.parse(text), 2, Map.of());
    return report(program, world, after).verdict();
  }

  @ParameterizedTest
  @MethodSource("programs")
  void holdsAcrossEveryWrap(Correct program) {
    for (String world : program.worlds().stream().limit(2).toList()) {
      for (long after : STARTS) {
        CheckReport report = report(program.bind(Topology.parse(world)), world, after);
        assertThat(report.verdict().violation())
            .as("%s %s after=%s", program, world, Long.toUnsignedString(after))
            .isEmpty();
        // Two launches beside a wrap may give packets one flag, which then says less.
        assertThat(report.verdict().bounds())
            .as("%s %s after=%s", program, world, Long.toUnsignedString(after))
            .allMatch(bound -> bound.startsWith("packets: a flag came"));
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "signal, 'reached epoch acquire\\n    move', '>= epoch acquire\\n    move', -2",
    "signal, epoch release\\n    await, (epoch & 0xffffffff) release\\n    await, 4294967294",
    "packets, nz32(epoch), epoch, 4294967295"
  })
  void aMistakeIsFoundAtItsWrapOnly(String form, String right, String wrong, long wrap) {
    String text = form.equals("signal") ? SIGNAL : PACKETS;
    String broken = text.replace(right.replace("\\n", "\n"), wrong.replace("\\n", "\n"));
    assertThat(broken).isNotEqualTo(text);
    for (String world : List.of("1x2", "2x1")) {
      assertThat(verdict(broken, world, 0).violation()).as(world).isEmpty();
      assertThat(verdict(broken, world, 1000).violation()).as(world).isEmpty();
      assertThat(verdict(broken, world, wrap).violation()).as(world).isPresent();
      assertThat(verdict(text, world, wrap).violation()).as(world).isEmpty();
    }
  }

  @Test
  void theTokenAndTheVerdictNameTheStart() {
    String broken = SIGNAL.replace("reached epoch acquire\n    move", ">= epoch acquire\n    move");
    Program program = Program.bind(FormParser.parse(broken), 2, Map.of());
    CheckReport report = report(program, "2x1", -2);
    CheckReport.Found found = report.found().orElseThrow();
    assertThat(report.verdict().model()).endsWith(", after=18446744073709551614");
    assertThat(found.token().orElseThrow().profile()).isEqualTo("L2_after.18446744073709551614");
    assertThat(TokenReplay.play(found.token().orElseThrow(), program.form()).recording())
        .isEqualTo(found.recording());
  }
}
