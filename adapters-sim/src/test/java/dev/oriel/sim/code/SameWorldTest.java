package dev.oriel.sim.code;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.engine.EngineRequirements;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SameWorldTest {
  private static final String PROGRAM =
      """
      form ring
      param B <= 64
      let W = 8
      input in[B]
      output out[B]
      signal READY[2]
      signal DATA[1]
      ensure out[0] = in@((r - 1) % n)[0] bytes B
      lane main: sm(32) {
        let succ = (r + 1) % n
        let pred = (r - 1) % n
        signal READY[0]@pred set epoch release
        await READY[0]@succ reached epoch acquire
        move out@succ[0] <- in[0] bytes B
        signal DATA[0]@succ set epoch release
        await DATA[0]@pred reached epoch acquire
        flush @succ local
      }
      """;

  private static WorldCode code(String text, long bytes) {
    Topology topology = Topology.parse("1x3");
    Program program = Program.bind(FormParser.parse(text), 3, Map.of("B", bytes));
    return new WorldCode(program, EngineRequirements.lower(program, topology, topology.kinds()));
  }

  @Test
  void renamedDefinitionsAreTheSame() {
    String other = PROGRAM.replace("pred", "before");
    assertThat(code(PROGRAM, 8).same(code(PROGRAM, 8))).isTrue();
    assertThat(code(PROGRAM, 8).same(code(other, 8))).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "await READY[0]@succ reached epoch acquire | await READY[0]@succ == epoch acquire",
        "signal DATA[0]@succ set epoch release | signal DATA[0]@succ set epoch relaxed",
        "READY[0] | READY[1]",
        "set epoch release | set epoch + 1 release",
        "signal READY[2] | signal READY[3]",
        "let W = 8 | let W = 9",
        "sm(32) | sm(64)",
        "ensure out[0] = in@((r - 1) % n)[0] bytes B | ensure out[0] = in@((r - 1) % n)[0] bytes 8"
      })
  void differencesAreRecognised(String text, String instead) {
    String other = PROGRAM.replace(text, instead);
    assertThat(other).isNotEqualTo(PROGRAM);
    assertThat(code(PROGRAM, 8).same(code(other, 8))).isFalse();
    assertThat(code(other, 8).same(code(PROGRAM, 8))).isFalse();
  }

  @Test
  void anotherSizeIsADifference() {
    assertThat(code(PROGRAM, 8).same(code(PROGRAM, 16))).isFalse();
  }
}
